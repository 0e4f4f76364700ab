/**
 * The first messages of a connection: the processes name themselves, the opener names the server it means, and servers
 * prove that they know the secret.
 */
@NullMarked
package io.steadfs.hello;

import org.jspecify.annotations.NullMarked;
