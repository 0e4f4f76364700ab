/** The changes, and who made them. */
@NullMarked
package io.steadfs.webui.audit;

import org.jspecify.annotations.NullMarked;
