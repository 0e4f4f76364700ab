/** {@code stead fs}: Hadoop's shell. */
@NullMarked
package io.steadfs.cli.fs;

import org.jspecify.annotations.NullMarked;
