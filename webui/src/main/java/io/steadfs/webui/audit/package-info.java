/** What was changed, by whom. */
@NullMarked
package io.steadfs.webui.audit;

import org.jspecify.annotations.NullMarked;
