/** Giga+ maps: which shard holds which names of a directory. */
@NullMarked
package io.steadfs.partition;

import org.jspecify.annotations.NullMarked;
