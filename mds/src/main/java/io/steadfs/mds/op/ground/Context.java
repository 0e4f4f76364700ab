package io.steadfs.mds.op.ground;

import com.google.protobuf.MessageLite;
import io.steadfs.handle.Handle;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;

/** What every step of one decision or query needs to know: the caller, the state, and the other inputs. */
public record Context(Principal principal, ReadView view, Inputs inputs) {
    /** @throws io.steadfs.mds.pipeline.Missing if there is no answer to the need yet */
    public Reply find(Need need) {
        return inputs.peerAnswers().get(need);
    }

    /**
     * The answer to a need.
     *
     * @throws Refused with the error of a refusal
     * @throws io.steadfs.mds.pipeline.Missing if there is no answer to the need yet
     */
    public <T extends MessageLite> T body(Need need, Class<T> type) throws Refused {
        return Refused.unlessOk(find(need), type);
    }

    public boolean isAlone() {
        return inputs.cluster().getShardCount() <= 1;
    }

    public boolean owns(Handle object) {
        return object.isOwnedByShard() && object.shard() == inputs.shard();
    }

    public long now() {
        return inputs.wallMillis();
    }
}
