/** Operations on the shard as a whole: its start, its root directory, its status and the cluster map. */
@NullMarked
package io.steadfs.mds.op.server;

import org.jspecify.annotations.NullMarked;
