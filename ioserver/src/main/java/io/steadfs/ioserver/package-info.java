/** The IO server, which keeps the data of files. */
@NullMarked
package io.steadfs.ioserver;

import org.jspecify.annotations.NullMarked;
