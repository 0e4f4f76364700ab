/** A whole file system in the memory of a test, to compare the real one with. */
@NullMarked
package io.steadfs.client.reference;

import org.jspecify.annotations.NullMarked;
