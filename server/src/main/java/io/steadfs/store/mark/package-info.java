/** Notices that an older state of a store replaced the store. */
@NullMarked
package io.steadfs.store.mark;

import org.jspecify.annotations.NullMarked;
