/** The tables of a shard and the keys of their rows. */
@NullMarked
package io.steadfs.mds.state;

import org.jspecify.annotations.NullMarked;
