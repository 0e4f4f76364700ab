/** Brings stores from one numbered format to the next. */
@NullMarked
package io.steadfs.store.format;

import org.jspecify.annotations.NullMarked;
