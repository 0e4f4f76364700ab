/** Parts that the process of any server needs. */
@NullMarked
package io.steadfs.server;

import org.jspecify.annotations.NullMarked;
