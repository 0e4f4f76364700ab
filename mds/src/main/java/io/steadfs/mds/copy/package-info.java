/**
 * Copies of ancestors: which copies this shard holds of rows of other shards, and which it gave of its own rows. All of
 * it is in memory and ends with the life of the shard. docs/decisions/0029 has the rules.
 */
@NullMarked
package io.steadfs.mds.copy;

import org.jspecify.annotations.NullMarked;
