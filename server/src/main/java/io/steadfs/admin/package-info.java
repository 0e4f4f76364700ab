/** The questions that operators' tools ask of a cluster: what state its servers are in, and where its handles are. */
@NullMarked
package io.steadfs.admin;

import org.jspecify.annotations.NullMarked;
