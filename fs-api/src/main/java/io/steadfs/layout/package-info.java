/** Layout of files: how the bytes of a file are spread over datafiles. */
@NullMarked
package io.steadfs.layout;

import org.jspecify.annotations.NullMarked;
