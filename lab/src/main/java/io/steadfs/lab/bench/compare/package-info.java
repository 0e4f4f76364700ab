/** Compares SteadFS with another file system, with itself, or with another build of SteadFS, in one run. */
@NullMarked
package io.steadfs.lab.bench.compare;

import org.jspecify.annotations.NullMarked;
