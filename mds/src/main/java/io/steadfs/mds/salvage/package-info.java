/** What of a shard's rows must not be of before, where its store was salvaged. */
@NullMarked
package io.steadfs.mds.salvage;

import org.jspecify.annotations.NullMarked;
