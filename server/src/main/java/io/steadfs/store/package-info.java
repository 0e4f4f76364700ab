/** Ordered durable tables under a server: the storage seam. Nothing here knows about file systems. */
@NullMarked
package io.steadfs.store;

import org.jspecify.annotations.NullMarked;
