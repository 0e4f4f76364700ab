/** Repeats experiments of a paper on creates, for the command {@code stead bench figures}. */
@NullMarked
package io.steadfs.lab.bench.figure;

import org.jspecify.annotations.NullMarked;
