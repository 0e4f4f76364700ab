/** How two processes begin a connection: who each is, whom it means, and how servers prove that they are servers. */
@NullMarked
package io.steadfs.hello;

import org.jspecify.annotations.NullMarked;
