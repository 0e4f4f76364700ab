/** The description of the interface, as OpenAPI. */
@NullMarked
package io.steadfs.webui.description;

import org.jspecify.annotations.NullMarked;
