/** Attributes and extended attributes of what has a name. */
@NullMarked
package io.steadfs.mds.op.attribute;

import org.jspecify.annotations.NullMarked;
