/** Calls: which server is asked, which requests are repeated and when, sessions, and what the clients of one process share. */
@NullMarked
package io.steadfs.client.call;

import org.jspecify.annotations.NullMarked;
