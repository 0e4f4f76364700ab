/** Configuration of servers: HOCON files over typed keys. */
@NullMarked
package io.steadfs.configuration;

import org.jspecify.annotations.NullMarked;
