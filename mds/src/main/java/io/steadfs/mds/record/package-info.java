/** Records. A decision consists of records, and only records change the state. */
@NullMarked
package io.steadfs.mds.record;

import org.jspecify.annotations.NullMarked;
