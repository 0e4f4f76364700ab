/** Very many who want something of servers at once, and how somebody else fares meanwhile. */
@NullMarked
package io.steadfs.it.crowd;

import org.jspecify.annotations.NullMarked;
