package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.PrepareAction;

/**
 * Something that a decision or query depends on, and that is at another shard. Two equal needs are the same need: the answer
 * to one is the answer to the other.
 */
public sealed interface Need {
    /** Number of the shard to ask. The asking shard may ask itself. */
    int shard();

    /**
     * A fact. The other shard answers it as a fact of some moment since the command came. Asking may be repeated, and does no
     * harm if the command is given up.
     */
    record Ask(int shard, Kind kind, MessageLite body) implements Need {}

    /**
     * Something that the other shard holds for this operation, durably, until the operation is finished there. Only a
     * request of a client may need a thing held.
     *
     * @param action is committed or undone together with the operation
     */
    record Prepare(int shard, PrepareAction action) implements Need {}
}
