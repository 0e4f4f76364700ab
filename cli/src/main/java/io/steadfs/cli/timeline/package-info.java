/** Timelines of operations as text and JSON. */
@NullMarked
package io.steadfs.cli.timeline;

import org.jspecify.annotations.NullMarked;
