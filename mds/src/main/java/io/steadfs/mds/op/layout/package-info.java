/**
 * Operations on the place of a file's bytes: the choice of the layout, the datafiles, and the pools and leases of
 * handles.
 */
@NullMarked
package io.steadfs.mds.op.layout;

import org.jspecify.annotations.NullMarked;
