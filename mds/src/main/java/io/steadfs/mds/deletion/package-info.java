/** The deletion queue: what was unlinked here and still takes room at IO servers or on this shard. */
@NullMarked
package io.steadfs.mds.deletion;

import org.jspecify.annotations.NullMarked;
