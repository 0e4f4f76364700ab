/** The messages of single operations, one by one. */
@NullMarked
package io.steadfs.webui.timeline;

import org.jspecify.annotations.NullMarked;
