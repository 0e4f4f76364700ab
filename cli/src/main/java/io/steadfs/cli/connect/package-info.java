/** The cluster that a command works on: a running one named by its URI, or one that the command starts. */
@NullMarked
package io.steadfs.cli.connect;

import org.jspecify.annotations.NullMarked;
