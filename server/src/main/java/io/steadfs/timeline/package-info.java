/** The messages of one operation, of its client and all servers, joined on one scale of time. */
@NullMarked
package io.steadfs.timeline;

import org.jspecify.annotations.NullMarked;
