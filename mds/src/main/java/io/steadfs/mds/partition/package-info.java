/** The part of a directory that one shard holds: its place in the map, its entry count, its modification time. */
@NullMarked
package io.steadfs.mds.partition;

import org.jspecify.annotations.NullMarked;
