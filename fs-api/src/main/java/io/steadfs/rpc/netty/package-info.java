/** Sends requests and replies over TCP. */
@NullMarked
package io.steadfs.rpc.netty;

import org.jspecify.annotations.NullMarked;
