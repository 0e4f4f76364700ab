/** Operations that open, renew, close, expire and fence the sessions of clients. */
@NullMarked
package io.steadfs.mds.op.session;

import org.jspecify.annotations.NullMarked;
