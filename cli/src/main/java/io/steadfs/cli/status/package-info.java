/** How a cluster is. */
@NullMarked
package io.steadfs.cli.status;

import org.jspecify.annotations.NullMarked;
