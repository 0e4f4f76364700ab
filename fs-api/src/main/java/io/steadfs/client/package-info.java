/** The client: the interface of a file system, blocking and asynchronous; its rooms do the work. */
@NullMarked
package io.steadfs.client;

import org.jspecify.annotations.NullMarked;
