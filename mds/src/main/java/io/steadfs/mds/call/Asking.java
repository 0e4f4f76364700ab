package io.steadfs.mds.call;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.Resolver;
import io.steadfs.mds.peer.CopyQuestions;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.GiveCopiesRequest;
import io.steadfs.wire.proto.IntentStatusReply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Asks other shards for facts, all at the same time. A definite answer is a fact, or a refusal that a repetition would
 * not change. If any shard gives no definite answer, the whole question fails with BUSY and the reason.
 */
final class Asking {
    /** The read met a lock whose intent is closed. A read of the newest state does not meet the lock any more. */
    static final class LookAgain extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LookAgain() {
            super("what was read has changed since", null, false, false);
        }
    }

    private final Peers peers;
    private final CopyQuestions copies;

    /** @param copies asks for copies of directories */
    Asking(Peers peers, CopyQuestions copies) {
        this.peers = peers;
        this.copies = copies;
    }

    /**
     * Asks for the facts. Fails with {@link FsException} BUSY or with {@link LookAgain}. Completes on any thread.
     *
     * @param traceId trace id of the operation that needs the facts
     */
    CompletableFuture<Map<Need, Reply>> ask(Collection<Need.Ask> needs, Principal principal, long traceId) {
        Caller caller = caller(principal);
        Peers ofOperation = peers.of(traceId);
        Map<Need, CompletableFuture<Reply>> asked = new LinkedHashMap<>();
        for (Need.Ask need : needs) {
            asked.put(
                    need,
                    need.body() instanceof GiveCopiesRequest request
                            ? copies.ask(ofOperation, request, caller)
                            : ofOperation.send(need.shard(), need.kind(), "ask", caller, need.body()));
        }
        return gather(asked).thenApply(Asking::current);
    }

    static Caller caller(Principal principal) {
        return Caller.newBuilder()
                .setUser(principal.user())
                .addAllGroups(principal.groups())
                .build();
    }

    /** Collects all answers. Fails with {@link FsException} BUSY if any answer is not definite. */
    static CompletableFuture<Map<Need, Reply>> gather(Map<Need, CompletableFuture<Reply>> asked) {
        CompletableFuture<Void> all = CompletableFuture.allOf(asked.values().toArray(new CompletableFuture<?>[0]));
        return all.thenApply(nothing -> {
            Map<Need, Reply> replies = new LinkedHashMap<>();
            asked.forEach((need, future) -> replies.put(need, future.join()));
            replies.values().forEach(reply -> reply.payload().release());
            checkDefinite(replies);
            return replies;
        });
    }

    private static void checkDefinite(Map<Need, Reply> replies) {
        Set<Integer> away = new HashSet<>();
        List<String> why = new ArrayList<>();
        replies.forEach((need, reply) -> {
            if (!isDefinite(reply.error())) {
                why.add("shard " + need.shard() + " answered " + reply.error() + ", "
                        + reply.header().getMessage());
                if (reply.error() != FsError.BUSY) {
                    away.add(need.shard());
                }
            }
        });
        if (!why.isEmpty()) {
            throw new Unanswered(String.join("; ", why), away);
        }
    }

    private static boolean isDefinite(FsError error) {
        boolean moved = error.resolver() == Resolver.REFRESH && error != FsError.STALE_START;
        return error.resolver() != Resolver.RETRY && !moved;
    }

    private static Map<Need, Reply> current(Map<Need, Reply> replies) {
        replies.forEach((need, reply) -> {
            if (need instanceof Need.Ask ask
                    && ask.kind() == Kind.INTENT_STATUS
                    && reply.body() instanceof IntentStatusReply status
                    && status.getState() == IntentStatusReply.State.FORGOTTEN) {
                throw new LookAgain();
            }
        });
        return replies;
    }

    /** A shard gave no definite answer. The caller should try again later. */
    static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Set<Integer> away;

        Unanswered(String why, Set<Integer> away) {
            super(why, null, false, false);
            this.away = Set.copyOf(away);
        }

        /**
         * Returns the shards that refused with another error than BUSY. The reason of such a refusal is neither a lock
         * nor a full queue, so the shard counts as unreachable.
         */
        Set<Integer> away() {
            return away;
        }
    }
}
