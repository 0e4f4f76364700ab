/** Kinds of messages, their frames, and their conversion to values. */
@NullMarked
package io.steadfs.wire;

import org.jspecify.annotations.NullMarked;
