package io.steadfs.client;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.fuzz.Messages;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A network whose servers answer with what they never would: some replies, by a mask, are spoiled or made up, in ways that
 * follow from a seed.
 */
final class SpoiledReplies implements Transport {
    private static final FsError[] ERRORS = FsError.values();

    private final Transport network;
    private final Messages messages;
    private final RandomGenerator random;
    private final Function<Request, MessageLite> good;
    private final int mask;
    private final boolean alsoMaps;
    private int replies;

    /**
     * @param good a reply that would make sense, for requests that the servers do not know
     * @param mask bit n: reply n, modulo 16, is spoiled
     * @param alsoMaps whether cluster maps and sessions count among the replies
     */
    SpoiledReplies(
            Transport network,
            Messages messages,
            RandomGenerator random,
            Function<Request, MessageLite> good,
            int mask,
            boolean alsoMaps) {
        this.network = network;
        this.messages = messages;
        this.random = random;
        this.good = good;
        this.mask = mask;
        this.alsoMaps = alsoMaps;
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        CompletableFuture<Reply> sent = network.send(server, request, timeoutMillis);
        boolean plain = request.kind() == Kind.CLUSTER_MAP
                || request.kind() == Kind.OPEN_SESSION
                || request.kind() == Kind.RENEW_SESSION;
        if (plain && !alsoMaps) {
            return sent;
        }
        boolean spoil = (mask >>> (replies++ % 16) & 1) != 0;
        return sent.thenApply(reply -> {
            Reply known = reply.error() == FsError.NOT_SUPPORTED ? Reply.ok(good.apply(request)) : reply;
            return spoil ? spoiled(request.kind(), known) : known;
        });
    }

    private Reply spoiled(Kind kind, Reply reply) {
        if (random.nextInt(6) == 0) {
            reply.payload().release();
            return refused(kind);
        }
        byte[] body = random.nextInt(4) == 0
                ? messages.bytes(random, kind.emptyReply())
                : messages.spoiled(random, reply.body());
        try {
            return new Reply(
                    FsError.OK,
                    ReplyHeader.getDefaultInstance(),
                    kind.replyParser().parseFrom(body),
                    reply.payload());
        } catch (InvalidProtocolBufferException e) {
            reply.payload().release();
            return Reply.refused(kind, FsError.BAD_MESSAGE, "no reply");
        }
    }

    private Reply refused(Kind kind) {
        FsError error = ERRORS[1 + random.nextInt(ERRORS.length - 1)];
        try {
            ReplyHeader header = ReplyHeader.parseFrom(messages.bytes(random, ReplyHeader.getDefaultInstance()));
            return new Reply(
                    error, header.toBuilder().setError(error.code()).build(), kind.emptyReply(), Payload.EMPTY);
        } catch (InvalidProtocolBufferException e) {
            return Reply.refused(kind, error, "no header");
        }
    }

    @Override
    public void close() {
        network.close();
    }
}
