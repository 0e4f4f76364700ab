package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.PrepareAction;

/**
 * Something at a shard that a decision or query depends on and that its own shard does not have. Two equal needs are
 * one: what was found for one is found for the other.
 */
public sealed interface Need {
    /** Number of the shard to ask; may be the asking one. */
    int shard();

    /** A fact: asked beside that shard's writer, true of some moment since the request came. */
    record Ask(int shard, Kind kind, MessageLite body) implements Need {}

    /**
     * Something held for this operation until it is finished there, durably. For operations only.
     *
     * @param action commits or is undone with the operation
     */
    record Prepare(int shard, PrepareAction action) implements Need {}
}
