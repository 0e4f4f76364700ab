/** The operations, one class each: the only place where nouns meet. */
@NullMarked
package io.steadfs.mds.op;

import org.jspecify.annotations.NullMarked;
