/** Checks of the file system, stored on disk. */
@NullMarked
package io.steadfs.webui.check;

import org.jspecify.annotations.NullMarked;
