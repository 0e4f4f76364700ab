/** How files are read: the columns of a range, their checksums, and the checksum of a whole file. */
@NullMarked
package io.steadfs.client.read;

import org.jspecify.annotations.NullMarked;
