/** The client: sessions, names, striped data. */
@NullMarked
package io.steadfs.client;

import org.jspecify.annotations.NullMarked;
