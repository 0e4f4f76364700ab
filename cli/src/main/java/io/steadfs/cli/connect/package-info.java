/** The cluster that a command works on: a running one by its URI, or one of its own. */
@NullMarked
package io.steadfs.cli.connect;

import org.jspecify.annotations.NullMarked;
