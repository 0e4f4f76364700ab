/** The ways to create files, under the names that commands use. */
@NullMarked
package io.steadfs.cli.protocol;

import org.jspecify.annotations.NullMarked;
