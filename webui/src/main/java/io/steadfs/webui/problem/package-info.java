/** Refusals, as problem+json. */
@NullMarked
package io.steadfs.webui.problem;

import org.jspecify.annotations.NullMarked;
