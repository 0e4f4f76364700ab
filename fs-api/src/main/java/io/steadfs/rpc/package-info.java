/** Requests and replies between processes, over any transport. */
@NullMarked
package io.steadfs.rpc;

import org.jspecify.annotations.NullMarked;
