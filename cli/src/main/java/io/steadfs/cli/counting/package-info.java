/** Measures the cost of an operation on the servers and in the client. */
@NullMarked
package io.steadfs.cli.counting;

import org.jspecify.annotations.NullMarked;
