/** Checksums: CRC32C of chunks, and of strips and files, which consist of chunks. */
@NullMarked
package io.steadfs.checksum;

import org.jspecify.annotations.NullMarked;
