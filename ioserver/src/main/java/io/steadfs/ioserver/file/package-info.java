/** Plain files that hold large datafiles, and the disk they are on. Knows handles, and nothing of metafiles. */
@NullMarked
package io.steadfs.ioserver.file;

import org.jspecify.annotations.NullMarked;
