/** What an operation cost, counted on the servers and on the client. */
@NullMarked
package io.steadfs.cli.counting;

import org.jspecify.annotations.NullMarked;
