/** What the servers of a cluster tell. */
@NullMarked
package io.steadfs.webui.cluster;

import org.jspecify.annotations.NullMarked;
