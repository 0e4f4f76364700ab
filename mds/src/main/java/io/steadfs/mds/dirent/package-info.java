/** Dirents: to which object each name in a directory leads. */
@NullMarked
package io.steadfs.mds.dirent;

import org.jspecify.annotations.NullMarked;
