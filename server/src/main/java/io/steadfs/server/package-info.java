/** Parts that all server processes use. */
@NullMarked
package io.steadfs.server;

import org.jspecify.annotations.NullMarked;
