/** Writes files. The classes send units of bytes for each column, handle acknowledgements, and seal columns. */
@NullMarked
package io.steadfs.client.write;

import org.jspecify.annotations.NullMarked;
