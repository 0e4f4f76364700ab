package io.steadfs.mds.pipeline;

import com.google.protobuf.MessageLite;
import io.steadfs.rpc.Reply;
import java.util.Optional;

/**
 * The result of a precheck.
 *
 * @param refusal refusal of the request; empty = the request goes on
 * @param instead operation that replaces the usual operation; it ties the decision to what was checked
 */
public record Checked<Q extends MessageLite>(Optional<Reply> refusal, Optional<Operation<Q>> instead) {
    public static <Q extends MessageLite> Checked<Q> allowed() {
        return new Checked<>(Optional.empty(), Optional.empty());
    }

    public static <Q extends MessageLite> Checked<Q> allowed(Operation<Q> instead) {
        return new Checked<>(Optional.empty(), Optional.of(instead));
    }

    public static <Q extends MessageLite> Checked<Q> refused(Reply refusal) {
        return new Checked<>(Optional.of(refusal), Optional.empty());
    }
}
