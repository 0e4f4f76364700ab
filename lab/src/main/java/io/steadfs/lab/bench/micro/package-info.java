/** Starts the microbenchmarks, which have a class path of their own. */
@NullMarked
package io.steadfs.lab.bench.micro;

import org.jspecify.annotations.NullMarked;
