/** Runs servers as processes. A server process also has an identity and is a member of the file system. */
@NullMarked
package io.steadfs.cli.process;

import org.jspecify.annotations.NullMarked;
