/** Files: their attributes, layout and writer. */
@NullMarked
package io.steadfs.mds.metafile;

import org.jspecify.annotations.NullMarked;
