/** Operations that make and delete the names of files and directories, one by one or as a tree. */
@NullMarked
package io.steadfs.mds.op.name;

import org.jspecify.annotations.NullMarked;
