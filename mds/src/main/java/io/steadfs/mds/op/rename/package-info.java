/** Operations that move names, within a shard and between shards. */
@NullMarked
package io.steadfs.mds.op.rename;

import org.jspecify.annotations.NullMarked;
