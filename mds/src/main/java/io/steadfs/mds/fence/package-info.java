/** Ranges of handles that this shard puts into no file any more. */
@NullMarked
package io.steadfs.mds.fence;

import org.jspecify.annotations.NullMarked;
