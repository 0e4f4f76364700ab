/** The last messages of a process with their times, kept in memory for the timeline of an operation. */
@NullMarked
package io.steadfs.recent;

import org.jspecify.annotations.NullMarked;
