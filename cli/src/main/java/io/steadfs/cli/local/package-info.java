/** A whole cluster in one process. */
@NullMarked
package io.steadfs.cli.local;

import org.jspecify.annotations.NullMarked;
