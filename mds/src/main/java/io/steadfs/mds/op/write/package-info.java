/** The life of a file that is written: opened, given datafiles, closed, given up, recovered or cut. */
@NullMarked
package io.steadfs.mds.op.write;

import org.jspecify.annotations.NullMarked;
