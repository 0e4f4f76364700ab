/** Contains the client's blocking and asynchronous interfaces to the file system. The subpackages do the work. */
@NullMarked
package io.steadfs.client;

import org.jspecify.annotations.NullMarked;
