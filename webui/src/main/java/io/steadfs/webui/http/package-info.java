/** What every answer contains, and what is checked for every request. */
@NullMarked
package io.steadfs.webui.http;

import org.jspecify.annotations.NullMarked;
