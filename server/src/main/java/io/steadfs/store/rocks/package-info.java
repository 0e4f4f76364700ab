/** {@link io.steadfs.store.Store} on RocksDB. */
@NullMarked
package io.steadfs.store.rocks;

import org.jspecify.annotations.NullMarked;
