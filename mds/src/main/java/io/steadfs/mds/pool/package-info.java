/** Handles that a shard has leased from IO servers for the files that it makes. */
@NullMarked
package io.steadfs.mds.pool;

import org.jspecify.annotations.NullMarked;
