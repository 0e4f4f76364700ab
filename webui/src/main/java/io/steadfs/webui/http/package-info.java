/** What every answer has, and what every request is checked for. */
@NullMarked
package io.steadfs.webui.http;

import org.jspecify.annotations.NullMarked;
