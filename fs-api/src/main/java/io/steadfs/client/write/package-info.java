/** Files that are written: units for the columns, acknowledgements, and what is sealed at the end. */
@NullMarked
package io.steadfs.client.write;

import org.jspecify.annotations.NullMarked;
