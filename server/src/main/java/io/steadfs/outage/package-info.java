/** Logs what is away: when it goes, while it is away, and when it is back. */
@NullMarked
package io.steadfs.outage;

import org.jspecify.annotations.NullMarked;
