/** The client: the interface of a file system, blocking and asynchronous. The packages below do the work. */
@NullMarked
package io.steadfs.client;

import org.jspecify.annotations.NullMarked;
