/** The life of a file that is written: it is opened, gets datafiles, and is closed, given up, recovered or cut. */
@NullMarked
package io.steadfs.mds.op.write;

import org.jspecify.annotations.NullMarked;
