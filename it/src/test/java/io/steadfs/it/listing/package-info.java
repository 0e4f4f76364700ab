/** Listings of directories that change meanwhile. */
@NullMarked
package io.steadfs.it.listing;

import org.jspecify.annotations.NullMarked;
