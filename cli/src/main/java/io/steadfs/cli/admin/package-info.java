/** Commands by which an administrator changes a running file system. */
@NullMarked
package io.steadfs.cli.admin;

import org.jspecify.annotations.NullMarked;
