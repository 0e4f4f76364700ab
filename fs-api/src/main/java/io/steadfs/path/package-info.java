/** Paths within the file system. */
@NullMarked
package io.steadfs.path;

import org.jspecify.annotations.NullMarked;
