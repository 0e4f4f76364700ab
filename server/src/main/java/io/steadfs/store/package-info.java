/** Ordered durable tables under a server: the storage seam. Knows no file-system word. */
@NullMarked
package io.steadfs.store;

import org.jspecify.annotations.NullMarked;
