/** The outbox: what other shards are yet to be told of objects of theirs whose names are, or were, here. */
@NullMarked
package io.steadfs.mds.outbox;

import org.jspecify.annotations.NullMarked;
