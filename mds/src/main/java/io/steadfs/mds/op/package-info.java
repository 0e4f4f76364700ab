/**
 * The operations of a shard, one class for each. An operation reads a view and returns a decision. A noun is a package
 * that owns one kind of thing. Only operations use several nouns together. Each subpackage has the operations on one
 * thing. All subpackages use {@code ground}.
 */
@NullMarked
package io.steadfs.mds.op;

import org.jspecify.annotations.NullMarked;
