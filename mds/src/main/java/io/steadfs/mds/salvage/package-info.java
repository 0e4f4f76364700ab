/** Corrects rows of a salvaged shard whose older versions would do harm. */
@NullMarked
package io.steadfs.mds.salvage;

import org.jspecify.annotations.NullMarked;
