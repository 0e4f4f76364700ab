/** Requests and replies between processes, over any kind of transport. */
@NullMarked
package io.steadfs.rpc;

import org.jspecify.annotations.NullMarked;
