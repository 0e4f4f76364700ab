/** Operations: one class for each kind of request that an IO server answers. */
@NullMarked
package io.steadfs.ioserver.op;

import org.jspecify.annotations.NullMarked;
