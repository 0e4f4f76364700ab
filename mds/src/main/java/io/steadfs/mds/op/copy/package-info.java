/** Operations that give copies of ancestors to other shards, and take them back. */
@NullMarked
package io.steadfs.mds.op.copy;

import org.jspecify.annotations.NullMarked;
