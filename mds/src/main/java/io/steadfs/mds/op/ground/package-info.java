/**
 * What operations of every room stand on: the walk along a path, what it finds, permissions, limits, and what is asked
 * of other shards.
 */
@NullMarked
package io.steadfs.mds.op.ground;

import org.jspecify.annotations.NullMarked;
