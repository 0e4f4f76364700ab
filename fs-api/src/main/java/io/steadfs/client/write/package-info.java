/** Writes files: units of bytes for each column, acknowledgements, and the sealing of columns. */
@NullMarked
package io.steadfs.client.write;

import org.jspecify.annotations.NullMarked;
