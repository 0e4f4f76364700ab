/** Handles of new objects. */
@NullMarked
package io.steadfs.mds.handle;

import org.jspecify.annotations.NullMarked;
