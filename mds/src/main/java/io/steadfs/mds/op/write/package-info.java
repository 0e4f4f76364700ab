/**
 * Operations on a file that is being written: append to it, attach its datafiles, close it, give it up, recover it and
 * cut it.
 */
@NullMarked
package io.steadfs.mds.op.write;

import org.jspecify.annotations.NullMarked;
