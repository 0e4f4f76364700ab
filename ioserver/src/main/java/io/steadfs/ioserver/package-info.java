/** The IO server. This package puts the parts of the server together. */
@NullMarked
package io.steadfs.ioserver;

import org.jspecify.annotations.NullMarked;
