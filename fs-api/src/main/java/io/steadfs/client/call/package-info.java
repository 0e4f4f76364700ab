/** Calls: which server is asked, what is tried again and when, sessions, and what clients of one process share. */
@NullMarked
package io.steadfs.client.call;

import org.jspecify.annotations.NullMarked;
