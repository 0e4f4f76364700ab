/**
 * Measures, tests and demonstrates SteadFS, by commands of {@code bin/stead}. Production servers and clients do not
 * need this package.
 */
@NullMarked
package io.steadfs.lab;

import org.jspecify.annotations.NullMarked;
