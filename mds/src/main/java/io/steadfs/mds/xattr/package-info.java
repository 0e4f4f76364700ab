/** Extended attributes of files and directories. */
@NullMarked
package io.steadfs.mds.xattr;

import org.jspecify.annotations.NullMarked;
