/** {@code stead bench}: benchmarks. */
@NullMarked
package io.steadfs.lab.bench;

import org.jspecify.annotations.NullMarked;
