/**
 * Background loops of the server, called duties. A duty looks at committed state, and then submits an ordinary command
 * to the shard's queue, as a client does. A duty changes nothing by itself. All that a duty keeps in memory may be lost
 * at any time.
 */
@NullMarked
package io.steadfs.mds.duty;

import org.jspecify.annotations.NullMarked;
