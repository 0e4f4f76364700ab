/** What operations of all subpackages use: the walk along a path, its results, permissions, limits, and questions to other shards. */
@NullMarked
package io.steadfs.mds.op.ground;

import org.jspecify.annotations.NullMarked;
