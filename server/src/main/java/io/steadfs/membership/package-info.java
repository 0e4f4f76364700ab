/**
 * Keeps in ZooKeeper which servers belong to the file system, and which of them are alive. Only servers use this
 * package; clients never do.
 */
@NullMarked
package io.steadfs.membership;

import org.jspecify.annotations.NullMarked;
