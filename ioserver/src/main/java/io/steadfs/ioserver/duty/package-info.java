/** Work that nobody asks for: clearing up at the start, confirming datafiles, measuring space. */
@NullMarked
package io.steadfs.ioserver.duty;

import org.jspecify.annotations.NullMarked;
