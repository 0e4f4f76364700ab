/** Sessions: which clients there are, which replies they got, which files they write, and which files lost their writer. */
@NullMarked
package io.steadfs.mds.session;

import org.jspecify.annotations.NullMarked;
