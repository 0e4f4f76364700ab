/** The outbox: notices to other shards about their objects whose names are or were on this shard. */
@NullMarked
package io.steadfs.mds.outbox;

import org.jspecify.annotations.NullMarked;
