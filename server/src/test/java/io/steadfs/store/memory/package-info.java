/** {@link io.steadfs.store.Store} in memory, for tests and simulation. */
@NullMarked
package io.steadfs.store.memory;

import org.jspecify.annotations.NullMarked;
