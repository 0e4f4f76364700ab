/** Saves everything readable in a server's damaged store. */
@NullMarked
package io.steadfs.cli.salvage;

import org.jspecify.annotations.NullMarked;
