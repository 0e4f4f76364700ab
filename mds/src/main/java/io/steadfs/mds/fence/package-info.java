/** Ranges of handles that this shard no longer puts into any file. */
@NullMarked
package io.steadfs.mds.fence;

import org.jspecify.annotations.NullMarked;
