/** How files are written: units for the columns, acknowledgements, and the sealing of columns. */
@NullMarked
package io.steadfs.client.write;

import org.jspecify.annotations.NullMarked;
