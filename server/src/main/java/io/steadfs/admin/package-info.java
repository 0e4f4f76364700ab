/** What operators' tools ask of a cluster: how its servers are, and where its handles are. */
@NullMarked
package io.steadfs.admin;

import org.jspecify.annotations.NullMarked;
