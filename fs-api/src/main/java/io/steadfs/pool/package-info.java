/** Leased handles that their holder has at hand. */
@NullMarked
package io.steadfs.pool;

import org.jspecify.annotations.NullMarked;
