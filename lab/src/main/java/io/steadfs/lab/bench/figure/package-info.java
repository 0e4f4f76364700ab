/** {@code stead bench figures}: experiments of a paper on creates, repeated. */
@NullMarked
package io.steadfs.lab.bench.figure;

import org.jspecify.annotations.NullMarked;
