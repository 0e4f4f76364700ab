/** What a server holds when the file system is large. */
@NullMarked
package io.steadfs.it.millions;

import org.jspecify.annotations.NullMarked;
