/** What the metadata server and the IO server share. */
@NullMarked
package io.steadfs.server;

import org.jspecify.annotations.NullMarked;
