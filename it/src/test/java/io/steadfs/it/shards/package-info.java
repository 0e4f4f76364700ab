/** Shards are added to clusters that work. */
@NullMarked
package io.steadfs.it.shards;

import org.jspecify.annotations.NullMarked;
