/** The status of a cluster. */
@NullMarked
package io.steadfs.cli.status;

import org.jspecify.annotations.NullMarked;
