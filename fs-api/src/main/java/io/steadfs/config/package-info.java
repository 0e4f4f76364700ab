/** Configuration keys with types, and their values. */
@NullMarked
package io.steadfs.config;

import org.jspecify.annotations.NullMarked;
