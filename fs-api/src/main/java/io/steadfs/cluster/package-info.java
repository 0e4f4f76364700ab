/** The cluster map: which server is where. */
@NullMarked
package io.steadfs.cluster;

import org.jspecify.annotations.NullMarked;
