/** Starts the microbenchmarks, which have a class path of their own. */
@NullMarked
package io.steadfs.cli.bench.micro;

import org.jspecify.annotations.NullMarked;
