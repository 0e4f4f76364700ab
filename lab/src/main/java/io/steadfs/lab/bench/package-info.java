/** The benchmarks of the command {@code stead bench}. */
@NullMarked
package io.steadfs.lab.bench;

import org.jspecify.annotations.NullMarked;
