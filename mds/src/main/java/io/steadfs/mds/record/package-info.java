/** What a decision is made of: facts that change the state. */
@NullMarked
package io.steadfs.mds.record;

import org.jspecify.annotations.NullMarked;
