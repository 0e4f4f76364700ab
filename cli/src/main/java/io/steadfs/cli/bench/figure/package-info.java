/** {@code stead bench figures}: experiments of a paper on creates, repeated. */
@NullMarked
package io.steadfs.cli.bench.figure;

import org.jspecify.annotations.NullMarked;
