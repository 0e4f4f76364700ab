/** Handles: the 64-bit names of objects. */
@NullMarked
package io.steadfs.handle;

import org.jspecify.annotations.NullMarked;
