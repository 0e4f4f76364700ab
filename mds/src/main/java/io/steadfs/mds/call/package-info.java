/**
 * The entrance for clients: who the caller is, how each kind of request is answered, and replies that are given once. Also
 * what brings a command to its answer that needs other shards.
 */
@NullMarked
package io.steadfs.mds.call;

import org.jspecify.annotations.NullMarked;
