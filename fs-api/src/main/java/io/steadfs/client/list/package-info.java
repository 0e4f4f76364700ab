/** Attributes of files and directories: single entries, pages of listings, and sums over trees. */
@NullMarked
package io.steadfs.client.list;

import org.jspecify.annotations.NullMarked;
