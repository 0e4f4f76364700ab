/** Makes and deletes names: files, links and directories, one by one or as a tree. */
@NullMarked
package io.steadfs.mds.op.name;

import org.jspecify.annotations.NullMarked;
