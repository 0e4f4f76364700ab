/** Connects a command to its cluster. A URI names a running cluster, or the command starts a cluster. */
@NullMarked
package io.steadfs.cli.connect;

import org.jspecify.annotations.NullMarked;
