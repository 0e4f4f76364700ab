/** Errors: the expected outcomes of requests other than success. */
@NullMarked
package io.steadfs.error;

import org.jspecify.annotations.NullMarked;
