/** Operations by which a directory gives a part of its names to another shard. */
@NullMarked
package io.steadfs.mds.op.give;

import org.jspecify.annotations.NullMarked;
