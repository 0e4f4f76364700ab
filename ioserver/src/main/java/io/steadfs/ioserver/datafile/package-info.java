/**
 * Datafiles: their rows, their chunk checksums, their bytes while they are small, and their state while they are
 * written.
 */
@NullMarked
package io.steadfs.ioserver.datafile;

import org.jspecify.annotations.NullMarked;
