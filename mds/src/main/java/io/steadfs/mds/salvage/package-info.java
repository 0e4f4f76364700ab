/** Corrects those rows of a salvaged shard that must not be older versions. */
@NullMarked
package io.steadfs.mds.salvage;

import org.jspecify.annotations.NullMarked;
