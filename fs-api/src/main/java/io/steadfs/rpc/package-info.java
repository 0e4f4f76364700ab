/** Requests and replies between processes, whatever carries them. */
@NullMarked
package io.steadfs.rpc;

import org.jspecify.annotations.NullMarked;
