/** The cluster secret as a file of this machine. */
@NullMarked
package io.steadfs.secret;

import org.jspecify.annotations.NullMarked;
