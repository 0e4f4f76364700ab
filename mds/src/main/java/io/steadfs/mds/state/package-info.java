/** The tables of a shard, and how their keys are built. */
@NullMarked
package io.steadfs.mds.state;

import org.jspecify.annotations.NullMarked;
