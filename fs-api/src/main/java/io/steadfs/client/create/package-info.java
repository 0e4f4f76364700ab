/** How files are made: one class for each create protocol, the choice between them, and the handles that they use. */
@NullMarked
package io.steadfs.client.create;

import org.jspecify.annotations.NullMarked;
