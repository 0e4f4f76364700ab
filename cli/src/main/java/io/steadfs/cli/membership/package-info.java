/** Commands about what a file system keeps in ZooKeeper. */
@NullMarked
package io.steadfs.cli.membership;

import org.jspecify.annotations.NullMarked;
