/** Dirents. A dirent says to which object a name in a directory leads. */
@NullMarked
package io.steadfs.mds.dirent;

import org.jspecify.annotations.NullMarked;
