/** Records: the facts that a decision is made of, and that change the state. */
@NullMarked
package io.steadfs.mds.record;

import org.jspecify.annotations.NullMarked;
