/** Shows all messages of one operation, from its client and all servers, on one scale of time. */
@NullMarked
package io.steadfs.timeline;

import org.jspecify.annotations.NullMarked;
