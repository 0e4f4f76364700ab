/** Commands about the nodes of a file system in ZooKeeper. */
@NullMarked
package io.steadfs.cli.membership;

import org.jspecify.annotations.NullMarked;
