/** The numbered formats of stores, and the steps from one to the next. */
@NullMarked
package io.steadfs.store.format;

import org.jspecify.annotations.NullMarked;
