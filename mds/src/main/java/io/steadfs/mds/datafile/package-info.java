/** The index that leads from a datafile to the metafile that lists the datafile. */
@NullMarked
package io.steadfs.mds.datafile;

import org.jspecify.annotations.NullMarked;
