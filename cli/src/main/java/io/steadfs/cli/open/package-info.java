/** Files that are open for writing. */
@NullMarked
package io.steadfs.cli.open;

import org.jspecify.annotations.NullMarked;
