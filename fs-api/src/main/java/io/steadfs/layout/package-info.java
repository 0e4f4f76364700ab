/** How a file's bytes are spread over datafiles. */
@NullMarked
package io.steadfs.layout;

import org.jspecify.annotations.NullMarked;
