/** The audit log: all changes, and the users who made them. */
@NullMarked
package io.steadfs.webui.audit;

import org.jspecify.annotations.NullMarked;
