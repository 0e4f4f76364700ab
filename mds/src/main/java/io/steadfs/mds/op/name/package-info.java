/** Names that come and go: files, links and directories are made and deleted, one by one or as a tree. */
@NullMarked
package io.steadfs.mds.op.name;

import org.jspecify.annotations.NullMarked;
