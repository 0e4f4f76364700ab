/** Shows configurations. */
@NullMarked
package io.steadfs.webui.configuration;

import org.jspecify.annotations.NullMarked;
