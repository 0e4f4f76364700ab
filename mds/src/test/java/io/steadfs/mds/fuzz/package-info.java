/** Nonsense for metadata shards: requests, and rows of their stores. */
@NullMarked
package io.steadfs.mds.fuzz;

import org.jspecify.annotations.NullMarked;
