/** The cost of an operation, counted on the servers and on the client. */
@NullMarked
package io.steadfs.cli.counting;

import org.jspecify.annotations.NullMarked;
