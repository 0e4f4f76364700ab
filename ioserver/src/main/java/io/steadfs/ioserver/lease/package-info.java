/** Which handles are leased, to whom, until when. */
@NullMarked
package io.steadfs.ioserver.lease;

import org.jspecify.annotations.NullMarked;
