/** Directories: attributes; their entries are dirents, their counts are with the partitions. */
@NullMarked
package io.steadfs.mds.directory;

import org.jspecify.annotations.NullMarked;
