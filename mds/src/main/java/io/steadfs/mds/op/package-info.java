/**
 * Operations: one class for each, deciding from a view. This is the only place where nouns meet. Each subpackage has the
 * operations on one thing, and all of them use {@code ground}.
 */
@NullMarked
package io.steadfs.mds.op;

import org.jspecify.annotations.NullMarked;
