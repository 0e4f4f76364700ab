/** The commands of {@code stead leases}. These commands show who holds leases of which handles, and end leases. */
@NullMarked
package io.steadfs.cli.leases;

import org.jspecify.annotations.NullMarked;
