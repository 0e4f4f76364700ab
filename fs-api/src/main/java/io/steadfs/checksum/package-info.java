/** CRC32C of chunks and of what is composed of them. */
@NullMarked
package io.steadfs.checksum;

import org.jspecify.annotations.NullMarked;
