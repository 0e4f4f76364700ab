/** Directories and their attributes. Their entries are dirents. Their counts are kept with the partitions. */
@NullMarked
package io.steadfs.mds.directory;

import org.jspecify.annotations.NullMarked;
