/** The disk under a server: how full it is, and what its failures are called. Knows no file-system word. */
@NullMarked
package io.steadfs.disk;

import org.jspecify.annotations.NullMarked;
