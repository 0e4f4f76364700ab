/** Expected outcomes other than success, as values. */
@NullMarked
package io.steadfs.error;

import org.jspecify.annotations.NullMarked;
