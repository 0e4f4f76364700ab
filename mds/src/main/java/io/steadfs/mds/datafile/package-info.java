/** The index that leads from a datafile to the metafile of this shard that lists it. */
@NullMarked
package io.steadfs.mds.datafile;

import org.jspecify.annotations.NullMarked;
