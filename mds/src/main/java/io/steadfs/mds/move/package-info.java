/** The store of a shard goes from one metadata server to another one, file by file. */
@NullMarked
package io.steadfs.mds.move;

import org.jspecify.annotations.NullMarked;
