/** Watches of names. A check of the file system uses a watch to tell a lost name from a name that moved. */
@NullMarked
package io.steadfs.mds.watch;

import org.jspecify.annotations.NullMarked;
