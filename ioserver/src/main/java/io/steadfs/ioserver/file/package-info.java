/** Plain files that hold large datafiles, and the disk they are on. This package knows handles, but no metafiles. */
@NullMarked
package io.steadfs.ioserver.file;

import org.jspecify.annotations.NullMarked;
