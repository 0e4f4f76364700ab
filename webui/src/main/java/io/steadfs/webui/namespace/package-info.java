/** Names and directories, to look at. */
@NullMarked
package io.steadfs.webui.namespace;

import org.jspecify.annotations.NullMarked;
