/** Time and network in one thread, from a seed; for tests of every module. */
@NullMarked
package io.steadfs.simulation;

import org.jspecify.annotations.NullMarked;
