/** Runs a whole cluster on one machine, in one process or in several processes. */
@NullMarked
package io.steadfs.cli.local;

import org.jspecify.annotations.NullMarked;
