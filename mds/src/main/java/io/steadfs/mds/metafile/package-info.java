/** Files: attributes, layout, writer. */
@NullMarked
package io.steadfs.mds.metafile;

import org.jspecify.annotations.NullMarked;
