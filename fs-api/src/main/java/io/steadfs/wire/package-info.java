/** Kinds of messages and their conversion to values. */
@NullMarked
package io.steadfs.wire;

import org.jspecify.annotations.NullMarked;
