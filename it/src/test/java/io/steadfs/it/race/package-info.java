/** Two clients at the same names at the same moment. */
@NullMarked
package io.steadfs.it.race;

import org.jspecify.annotations.NullMarked;
