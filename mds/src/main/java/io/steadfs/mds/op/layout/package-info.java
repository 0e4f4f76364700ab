/** Where the bytes of a file go: the choice of its layout, the handles of its datafiles, and the pools and leases from which they come. */
@NullMarked
package io.steadfs.mds.op.layout;

import org.jspecify.annotations.NullMarked;
