/** The command that checks the file system. */
@NullMarked
package io.steadfs.cli.fsck;

import org.jspecify.annotations.NullMarked;
