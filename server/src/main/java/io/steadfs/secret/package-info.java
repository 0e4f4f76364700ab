/** Reads the cluster secret from a file of this machine, and makes that file. */
@NullMarked
package io.steadfs.secret;

import org.jspecify.annotations.NullMarked;
