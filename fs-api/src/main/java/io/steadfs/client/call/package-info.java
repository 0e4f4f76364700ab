/**
 * Sends requests: finds the server, repeats requests, keeps sessions, and shares threads and connections in a process.
 */
@NullMarked
package io.steadfs.client.call;

import org.jspecify.annotations.NullMarked;
