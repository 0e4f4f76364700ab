/** What a check of the file system reads from a shard: its rows, what they say about each other, and whether they can be read at all. */
@NullMarked
package io.steadfs.mds.op.check;

import org.jspecify.annotations.NullMarked;
