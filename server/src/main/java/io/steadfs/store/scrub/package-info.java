/** Reads a whole store, to find out whether it can be read. */
@NullMarked
package io.steadfs.store.scrub;

import org.jspecify.annotations.NullMarked;
