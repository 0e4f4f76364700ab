package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.PrepareAction;

/**
 * Something that a decision or query depends on, and that is at another shard. Two equal needs are the same need: the answer
 * to one is the answer to the other.
 */
public sealed interface Need {
    /** Number of the shard to ask. It may be the asking shard itself. */
    int shard();

    /** A fact. The other shard answers it beside its writer, as a fact of some moment since the request came. */
    record Ask(int shard, Kind kind, MessageLite body) implements Need {}

    /**
     * Something that the other shard holds for this operation, durably, until the operation is finished there. Only
     * operations may need this.
     *
     * @param action is committed or undone together with the operation
     */
    record Prepare(int shard, PrepareAction action) implements Need {}
}
