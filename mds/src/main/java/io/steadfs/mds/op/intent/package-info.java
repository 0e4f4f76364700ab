/** Changes over several shards: the parts that a participant prepares, and how the coordinator finishes them or tells their outcome. */
@NullMarked
package io.steadfs.mds.op.intent;

import org.jspecify.annotations.NullMarked;
