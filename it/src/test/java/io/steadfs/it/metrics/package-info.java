/** What real servers tell over HTTP. */
@NullMarked
package io.steadfs.it.metrics;

import org.jspecify.annotations.NullMarked;
