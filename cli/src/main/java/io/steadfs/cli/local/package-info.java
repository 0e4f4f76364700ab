/** A whole cluster on one machine, in one process or several. */
@NullMarked
package io.steadfs.cli.local;

import org.jspecify.annotations.NullMarked;
