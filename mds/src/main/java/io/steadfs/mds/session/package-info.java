/** Sessions: who is there, what it was answered, which files it writes, and which files lost their writer. */
@NullMarked
package io.steadfs.mds.session;

import org.jspecify.annotations.NullMarked;
