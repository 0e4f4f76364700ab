/**
 * Changes over several shards: the parts that a participant prepares, and how the coordinator ends them or tells of
 * them.
 */
@NullMarked
package io.steadfs.mds.op.intent;

import org.jspecify.annotations.NullMarked;
