/** The metadata server. */
@NullMarked
package io.steadfs.mds;

import org.jspecify.annotations.NullMarked;
