package io.steadfs.mds.peer;

import io.steadfs.handle.Handle;
import io.steadfs.mds.copy.HeldCopies;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.rpc.Reply;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.GiveCopiesReply;
import io.steadfs.wire.proto.GiveCopiesRequest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks owners for copies of directories, and keeps what they give. The same question is sent once at a time; who asks it
 * meanwhile gets the same answer. Thread-safe.
 */
public final class CopyQuestions {
    private final int shard;
    private final HeldCopies held;
    private final Peers peers;
    private final Scheduler scheduler;
    private final Map<GiveCopiesRequest, CompletableFuture<Reply>> open = new ConcurrentHashMap<>();

    /** @param shard number of this shard */
    public CopyQuestions(int shard, HeldCopies held, Peers peers, Scheduler scheduler) {
        this.shard = shard;
        this.held = held;
        this.peers = peers;
        this.scheduler = scheduler;
    }

    /**
     * Asks the owner. What it gives can be found in the table when the result completes.
     *
     * @param ofOperation the shards, for messages of the operation that asks
     */
    public CompletableFuture<Reply> ask(Peers ofOperation, GiveCopiesRequest request, Caller caller) {
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        CompletableFuture<Reply> earlier = open.putIfAbsent(request, answer);
        if (earlier != null) {
            return earlier;
        }
        int owner = new Handle(request.getDirectory()).shard();
        HeldCopies.Question question = held.ask(owner);
        var unused = ofOperation
                .send(owner, Kind.GIVE_COPIES, "ask for copies", caller, request)
                .thenAccept(reply -> {
                    if (reply.isOk() && reply.body() instanceof GiveCopiesReply given) {
                        question.answered(request, given);
                    } else {
                        question.unanswered(request);
                    }
                    open.remove(request);
                    answer.complete(reply);
                })
                .exceptionally(broken -> {
                    open.remove(request);
                    answer.completeExceptionally(broken);
                    return null;
                });
        return answer;
    }

    /** Asks for copies of the directory's row and of a name in it, which are held but not for long any more. */
    public void renew(Handle directory, Optional<String> name) {
        GiveCopiesRequest.Builder request =
                GiveCopiesRequest.newBuilder().setHolder(shard).setDirectory(directory.value());
        name.ifPresent(request::addNames);
        scheduler.after(0, () -> {
            var unused = ask(peers, request.build(), Caller.getDefaultInstance());
        });
    }
}
