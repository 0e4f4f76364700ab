/** The datafile: its row, its chunk checksums, its bytes while they are small, and its state while it is written. */
@NullMarked
package io.steadfs.ioserver.datafile;

import org.jspecify.annotations.NullMarked;
