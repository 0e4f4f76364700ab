/** The deletion queue: objects that were unlinked here and still take room at IO servers or on this shard. */
@NullMarked
package io.steadfs.mds.deletion;

import org.jspecify.annotations.NullMarked;
