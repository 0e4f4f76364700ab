/** The path of a change through a shard: queue, decide, append, apply, answer. */
@NullMarked
package io.steadfs.mds.pipeline;

import org.jspecify.annotations.NullMarked;
