/**
 * Questions that operators' tools ask a cluster. The tools ask servers for their state and for the classes of their
 * handles.
 */
@NullMarked
package io.steadfs.admin;

import org.jspecify.annotations.NullMarked;
