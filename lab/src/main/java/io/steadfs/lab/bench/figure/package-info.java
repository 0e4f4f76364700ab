/** The command {@code stead bench figures}: repeats experiments of a paper about file creation. */
@NullMarked
package io.steadfs.lab.bench.figure;

import org.jspecify.annotations.NullMarked;
