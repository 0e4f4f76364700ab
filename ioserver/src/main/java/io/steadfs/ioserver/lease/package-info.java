/** Leases: which handles are leased, to which holder, until when. */
@NullMarked
package io.steadfs.ioserver.lease;

import org.jspecify.annotations.NullMarked;
