/** CRC32C of chunks, and of strips and files that are composed of chunks. */
@NullMarked
package io.steadfs.checksum;

import org.jspecify.annotations.NullMarked;
