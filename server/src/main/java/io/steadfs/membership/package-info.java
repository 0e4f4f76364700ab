/** Who belongs to the file system and who is alive, kept in ZooKeeper. Only servers come here, never clients. */
@NullMarked
package io.steadfs.membership;

import org.jspecify.annotations.NullMarked;
