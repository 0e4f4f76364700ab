/** What tests do with the log. */
@NullMarked
package io.steadfs.logging;

import org.jspecify.annotations.NullMarked;
