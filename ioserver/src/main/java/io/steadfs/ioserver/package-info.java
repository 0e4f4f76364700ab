/** The IO server: its wiring, from top to bottom. */
@NullMarked
package io.steadfs.ioserver;

import org.jspecify.annotations.NullMarked;
