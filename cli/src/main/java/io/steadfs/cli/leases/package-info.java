/** The commands of {@code stead leases}, which show and end leases of handles. */
@NullMarked
package io.steadfs.cli.leases;

import org.jspecify.annotations.NullMarked;
