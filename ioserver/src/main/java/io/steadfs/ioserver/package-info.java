/** The IO server: its parts put together, from top to bottom. */
@NullMarked
package io.steadfs.ioserver;

import org.jspecify.annotations.NullMarked;
