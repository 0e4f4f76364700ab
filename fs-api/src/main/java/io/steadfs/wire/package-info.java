/** Kinds of messages, and the frames that carry messages on the wire. */
@NullMarked
package io.steadfs.wire;

import org.jspecify.annotations.NullMarked;
