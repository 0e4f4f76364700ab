/** The files that hold large datafiles, and the disk under the files. This package knows handles, but no metafiles. */
@NullMarked
package io.steadfs.ioserver.file;

import org.jspecify.annotations.NullMarked;
