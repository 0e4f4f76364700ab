/** Sessions of clients: opened, renewed, closed, expired and fenced. */
@NullMarked
package io.steadfs.mds.op.session;

import org.jspecify.annotations.NullMarked;
