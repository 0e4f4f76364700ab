/** Filters that add headers to every answer and check every request. */
@NullMarked
package io.steadfs.webui.http;

import org.jspecify.annotations.NullMarked;
