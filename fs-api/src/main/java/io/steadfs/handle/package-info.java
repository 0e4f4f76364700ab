/** Names of objects. */
@NullMarked
package io.steadfs.handle;

import org.jspecify.annotations.NullMarked;
