/** Makes the archive of classes with which servers and commands start faster. */
@NullMarked
package io.steadfs.cli.archive;

import org.jspecify.annotations.NullMarked;
