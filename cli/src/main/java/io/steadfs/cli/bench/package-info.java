/** {@code stead bench}: benchmarks. */
@NullMarked
package io.steadfs.cli.bench;

import org.jspecify.annotations.NullMarked;
