package io.steadfs.mds.op.ground;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.cluster.ShardCounts;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;

/**
 * The caller, the state and the other inputs that every step of a decision or query needs.
 *
 * @param decides whether the step belongs to a decision, which may change something
 */
public record Context(Principal principal, ReadView view, Inputs inputs, boolean decides) {
    /** A context of a step that changes nothing. */
    public Context(Principal principal, ReadView view, Inputs inputs) {
        this(principal, view, inputs, false);
    }

    /** @throws io.steadfs.mds.pipeline.Missing if the need has no answer yet */
    public Reply find(Need need) {
        return inputs.peerAnswers().get(need);
    }

    /**
     * The body of the answer to a need.
     *
     * @throws Refused if the answer is a refusal, with the same error
     * @throws io.steadfs.mds.pipeline.Missing if the need has no answer yet
     */
    public <T extends MessageLite> T body(Need need, Class<T> type) throws Refused {
        return Refused.unlessOk(find(need), type);
    }

    /** The token with which the caller's walk goes on at the start, on another shard. */
    public ByteString startToken(Handle start) {
        return resolvedToken(start, "");
    }

    /** The token for a name in a directory to which this shard has walked, and in which the caller may look it up. */
    public ByteString resolvedToken(Handle directory, String name) {
        return inputs.starts().give(principal, directory, name, now());
    }

    public boolean isAlone() {
        return inputs.shards().isOne();
    }

    /** How many shards there are, by the newest cluster map. */
    public ShardCounts shards() {
        return inputs.shards();
    }

    /** Refuses with NO_SPACE if nothing new may be stored. */
    public void requireRoom() throws Refused {
        if (inputs.full().isPresent()) {
            throw new Refused(FsError.NO_SPACE, inputs.full().get());
        }
    }

    public boolean owns(Handle object) {
        return object.isOwnedByShard() && object.shard() == inputs.shard();
    }

    public long now() {
        return inputs.wallMillis();
    }
}
