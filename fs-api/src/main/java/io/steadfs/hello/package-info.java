/** How two processes begin a connection: who each is, which server the opener means, and how servers prove that they are servers. */
@NullMarked
package io.steadfs.hello;

import org.jspecify.annotations.NullMarked;
