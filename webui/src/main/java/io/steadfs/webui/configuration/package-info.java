/** What is configured, to look at. */
@NullMarked
package io.steadfs.webui.configuration;

import org.jspecify.annotations.NullMarked;
