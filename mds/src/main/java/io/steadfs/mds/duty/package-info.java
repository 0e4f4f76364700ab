/**
 * Background loops of the server. A duty looks at committed state, then submits an ordinary command to the shard's queue,
 * like a client's. It changes nothing by itself. All that a duty keeps in memory may be lost at any time.
 */
@NullMarked
package io.steadfs.mds.duty;

import org.jspecify.annotations.NullMarked;
