/** Operations on attributes and extended attributes of files and directories. */
@NullMarked
package io.steadfs.mds.op.attribute;

import org.jspecify.annotations.NullMarked;
