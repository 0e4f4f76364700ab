/**
 * Directories and their attributes. The entries of a directory are dirents. The counts of a directory's entries are
 * kept with its partitions.
 */
@NullMarked
package io.steadfs.mds.directory;

import org.jspecify.annotations.NullMarked;
