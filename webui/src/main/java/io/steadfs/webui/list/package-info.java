/** Lists, a page at a time. */
@NullMarked
package io.steadfs.webui.list;

import org.jspecify.annotations.NullMarked;
