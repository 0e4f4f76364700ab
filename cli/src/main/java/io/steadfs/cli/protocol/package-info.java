/** The ways to create files, as commands name them. */
@NullMarked
package io.steadfs.cli.protocol;

import org.jspecify.annotations.NullMarked;
