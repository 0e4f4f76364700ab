/** The command {@code stead}. */
@NullMarked
package io.steadfs.cli;

import org.jspecify.annotations.NullMarked;
