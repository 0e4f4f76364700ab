/** What a name in a directory leads to. */
@NullMarked
package io.steadfs.mds.dirent;

import org.jspecify.annotations.NullMarked;
