/** What a whole cluster answers to bad input. */
@NullMarked
package io.steadfs.it.bad;

import org.jspecify.annotations.NullMarked;
