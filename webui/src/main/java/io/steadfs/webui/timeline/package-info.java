/** What single operations are made of, message by message. */
@NullMarked
package io.steadfs.webui.timeline;

import org.jspecify.annotations.NullMarked;
