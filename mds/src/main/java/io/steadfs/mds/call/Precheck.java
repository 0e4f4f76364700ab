package io.steadfs.mds.call;

import com.google.protobuf.MessageLite;
import io.steadfs.mds.pipeline.Asker;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import java.util.Optional;

/**
 * A check too long for the writer, done beside it on committed state before the request is queued. Where the state
 * changes in between, the operation still decides by its own rules.
 */
@FunctionalInterface
public interface Precheck<Q extends MessageLite> {
    /** The refusal, or empty to let the operation decide. */
    Optional<Reply> refusal(Q request, Asker asker, ReadView view, Inputs inputs);
}
