/**
 * The parts of directories that a shard holds. Each part of a directory has its place in the directory's map, its entry
 * count and its modification time.
 */
@NullMarked
package io.steadfs.mds.partition;

import org.jspecify.annotations.NullMarked;
