/** How an older state of a store is known that was put back. */
@NullMarked
package io.steadfs.store.mark;

import org.jspecify.annotations.NullMarked;
