/** The deletion queue: objects that were unlinked here and still take space on IO servers or on this shard. */
@NullMarked
package io.steadfs.mds.deletion;

import org.jspecify.annotations.NullMarked;
