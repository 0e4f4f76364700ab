/** Which metafile of this shard has which datafile: the index by datafile. */
@NullMarked
package io.steadfs.mds.datafile;

import org.jspecify.annotations.NullMarked;
