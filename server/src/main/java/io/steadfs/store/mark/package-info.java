/** Recognises stores that were replaced by an older state of themselves. */
@NullMarked
package io.steadfs.store.mark;

import org.jspecify.annotations.NullMarked;
