/** Which objects get a name during a watch. A check uses this to tell a lost name from a name that moved. */
@NullMarked
package io.steadfs.mds.watch;

import org.jspecify.annotations.NullMarked;
