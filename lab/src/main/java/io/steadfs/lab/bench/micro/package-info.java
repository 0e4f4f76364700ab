/** Starts the microbenchmarks. The microbenchmarks have a class path of their own. */
@NullMarked
package io.steadfs.lab.bench.micro;

import org.jspecify.annotations.NullMarked;
