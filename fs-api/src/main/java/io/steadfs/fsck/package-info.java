/** A check of the whole file system while clients work with it: {@link io.steadfs.fsck.DatafileCheck}. */
@NullMarked
package io.steadfs.fsck;

import org.jspecify.annotations.NullMarked;
