/** Servers as processes: identity and membership around the server itself. */
@NullMarked
package io.steadfs.cli.process;

import org.jspecify.annotations.NullMarked;
