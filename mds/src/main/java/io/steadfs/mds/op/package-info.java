/** Verbs: one class for each operation, deciding from a view; the only place where nouns meet. */
@NullMarked
package io.steadfs.mds.op;

import org.jspecify.annotations.NullMarked;
