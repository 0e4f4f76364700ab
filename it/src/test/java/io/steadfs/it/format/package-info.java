/** Directories of every disk format that is kept, opened by this release. */
@NullMarked
package io.steadfs.it.format;

import org.jspecify.annotations.NullMarked;
