/**
 * Verbs: one class for each operation, deciding from a view; the only place where nouns meet. Each room has the
 * operations on one thing, and {@code ground} is what all of them stand on.
 */
@NullMarked
package io.steadfs.mds.op;

import org.jspecify.annotations.NullMarked;
