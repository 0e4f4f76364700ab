/** Repairs of findings of a check. Each kind of damage has one class. */
@NullMarked
package io.steadfs.mds.op.mend;

import org.jspecify.annotations.NullMarked;
