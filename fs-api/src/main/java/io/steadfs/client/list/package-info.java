/** Converts answers about files and directories: attributes, pages of listings, and sums over trees. */
@NullMarked
package io.steadfs.client.list;

import org.jspecify.annotations.NullMarked;
