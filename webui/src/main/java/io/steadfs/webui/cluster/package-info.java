/** The state of a cluster, as its servers report it. */
@NullMarked
package io.steadfs.webui.cluster;

import org.jspecify.annotations.NullMarked;
