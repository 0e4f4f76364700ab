/** Shows names and directories. */
@NullMarked
package io.steadfs.webui.namespace;

import org.jspecify.annotations.NullMarked;
