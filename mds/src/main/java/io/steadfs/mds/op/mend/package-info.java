/** Repairs of what a check found wrong, with one class for each sort of damage. */
@NullMarked
package io.steadfs.mds.op.mend;

import org.jspecify.annotations.NullMarked;
