/** Names given to new objects. */
@NullMarked
package io.steadfs.mds.handle;

import org.jspecify.annotations.NullMarked;
