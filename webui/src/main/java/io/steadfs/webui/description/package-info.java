/** What the interface is, as OpenAPI. */
@NullMarked
package io.steadfs.webui.description;

import org.jspecify.annotations.NullMarked;
