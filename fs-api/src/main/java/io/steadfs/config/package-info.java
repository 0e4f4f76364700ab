/** Typed configuration keys. */
@NullMarked
package io.steadfs.config;

import org.jspecify.annotations.NullMarked;
