/** {@code stead leases}: which handles are leased to whom. */
@NullMarked
package io.steadfs.cli.leases;

import org.jspecify.annotations.NullMarked;
