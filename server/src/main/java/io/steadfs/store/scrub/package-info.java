/** Reads a whole store, to find rows and files that cannot be read. */
@NullMarked
package io.steadfs.store.scrub;

import org.jspecify.annotations.NullMarked;
