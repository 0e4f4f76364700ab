package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.PrepareAction;

/**
 * Something at another shard that a decision or query depends on. Two equal needs are the same need and have the same
 * answer.
 */
public sealed interface Need {
    /** Number of the shard to ask. The asking shard may ask itself. */
    int shard();

    /**
     * A fact. The other shard gives the fact as of some moment after the command arrived. The shard may be asked again,
     * and asking does no harm if the command is given up.
     */
    record Ask(int shard, Kind kind, MessageLite body) implements Need {}

    /**
     * Something that the other shard holds durably for this operation until the operation is finished there. Only a
     * request of a client may have such a need.
     *
     * @param action action that is committed or undone together with the operation
     */
    record Prepare(int shard, PrepareAction action) implements Need {}
}
