/** Makes files: a class for each create protocol, the choice of a protocol, and leased handles. */
@NullMarked
package io.steadfs.client.create;

import org.jspecify.annotations.NullMarked;
