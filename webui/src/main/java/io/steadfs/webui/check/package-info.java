/** Checks of the file system, kept on disk. */
@NullMarked
package io.steadfs.webui.check;

import org.jspecify.annotations.NullMarked;
