/** Implements {@link io.steadfs.store.Store} with RocksDB, and salvages damaged stores. */
@NullMarked
package io.steadfs.store.rocks;

import org.jspecify.annotations.NullMarked;
