/**
 * Code that the operations of all subpackages share: the walk along a path, permissions, limits, and questions to other
 * shards.
 */
@NullMarked
package io.steadfs.mds.op.ground;

import org.jspecify.annotations.NullMarked;
