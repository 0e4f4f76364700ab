/** Pools of leased handles, from which a holder of leases takes handles without asking a server. */
@NullMarked
package io.steadfs.pool;

import org.jspecify.annotations.NullMarked;
