/** Which objects get a name while somebody watches: for checks that must tell a lost name from one that moved. */
@NullMarked
package io.steadfs.mds.watch;

import org.jspecify.annotations.NullMarked;
