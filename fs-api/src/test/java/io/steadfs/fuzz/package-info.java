/** Feeds whatever reads bytes from outside with inputs made from a seed. */
@NullMarked
package io.steadfs.fuzz;

import org.jspecify.annotations.NullMarked;
