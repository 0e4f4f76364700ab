/** How the shards of one file system reach each other. */
@NullMarked
package io.steadfs.mds.peer;

import org.jspecify.annotations.NullMarked;
