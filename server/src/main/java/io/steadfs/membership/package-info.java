/**
 * Which servers belong to the file system, and which of them are alive. ZooKeeper stores both. Only servers use this package, never
 * clients.
 */
@NullMarked
package io.steadfs.membership;

import org.jspecify.annotations.NullMarked;
