/**
 * Work of the IO server that no request asks for: cleaning up at the start, confirming datafiles, reclaiming leases,
 * measuring space.
 */
@NullMarked
package io.steadfs.ioserver.duty;

import org.jspecify.annotations.NullMarked;
