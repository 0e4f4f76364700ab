/** The cluster map: addresses of servers and hosts of shards. */
@NullMarked
package io.steadfs.cluster;

import org.jspecify.annotations.NullMarked;
