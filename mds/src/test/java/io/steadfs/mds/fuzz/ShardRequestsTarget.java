package io.steadfs.mds.fuzz;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.fuzz.Bits;
import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Kinds;
import io.steadfs.fuzz.Messages;
import io.steadfs.fuzz.Words;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Requests to three shards on simulated time. Each is answered, never with FAULT; no shard stops; and where clients alone
 * asked, what the shards then hold is whole.
 */
final class ShardRequestsTarget implements FuzzTarget {
    /** What shards alone ask of each other; who lies there can take the namespace apart. */
    private static final Set<Kind> OF_SHARDS = EnumSet.of(
            Kind.PREPARE,
            Kind.FINISH,
            Kind.INTENT_STATUS,
            Kind.STAT_HANDLES,
            Kind.ANCESTORS,
            Kind.CHECK_TREE,
            Kind.SESSION_STATUS,
            Kind.NOTIFY,
            Kind.FENCE_SESSIONS,
            Kind.FENCE_HANDLES,
            Kind.LOOK_UP,
            Kind.GIVE_COPIES,
            Kind.RECALL_COPIES,
            Kind.CONFIRM_DATAFILES);

    private static final int MOST_HEADER_BYTES = 8 << 10;

    private final boolean shards;
    private final Kind[] kinds;
    private final Messages messages;

    private ShardRequestsTarget(boolean shards) {
        this.shards = shards;
        this.kinds = Arrays.stream(Kind.values())
                .filter(kind -> shards == OF_SHARDS.contains(kind))
                .toArray(Kind[]::new);
        List<Long> numbers = new ArrayList<>();
        try (FuzzedShards begun = new FuzzedShards()) {
            numbers.addAll(begun.handles());
        }
        numbers.addAll(List.of(1L, 1L, 2L, 0755L, 0644L, 1L << 16, 1L << 20, 128L << 20));
        this.messages = new Messages(new Words(
                numbers,
                List.of("a", "b", "d", "d/e", "f", "open", "d/f", "d/e/f", "alice", "users", "user.a", "user.b", "")));
    }

    /** What clients ask. */
    static FuzzTarget ofClients() {
        return new ShardRequestsTarget(false);
    }

    /** What shards and IO servers ask. */
    static FuzzTarget ofServers() {
        return new ShardRequestsTarget(true);
    }

    @Override
    public String name() {
        return shards ? "mds-peer-requests" : "mds-client-requests";
    }

    @Override
    public int inputsOfATrial() {
        return 500;
    }

    @Override
    public long mostAllocatedBytes(int inputBytes) {
        return (8 << 20) + 4000L * inputBytes;
    }

    @Override
    public byte[] input(RandomGenerator random) {
        Kind kind = kinds[random.nextInt(kinds.length)];
        byte[] body = messages.bytes(random, Kinds.emptyRequest(kind));
        return new SpoiledRequest(random.nextInt(FuzzedShards.COUNT), kind, header(random), body).bytes();
    }

    private byte[] header(RandomGenerator random) {
        MessageLite good = RequestHeader.newBuilder()
                .setSession(random.nextInt(2))
                .setCaller(Caller.newBuilder()
                        .setUser(random.nextBoolean() ? "root" : "alice")
                        .addGroups("users"))
                .build();
        if (random.nextInt(8) > 0) {
            return good.toByteArray();
        }
        byte[] header = Bits.join(good.toByteArray(), messages.bytes(random, RequestHeader.getDefaultInstance()));
        return header.length > MOST_HEADER_BYTES ? good.toByteArray() : header;
    }

    @Override
    public Trial begin() {
        FuzzedShards cluster = new FuzzedShards();
        return new Trial() {
            @Override
            public void feed(byte[] input) {
                SpoiledRequest request = SpoiledRequest.of(input);
                RequestHeader header;
                MessageLite body;
                try {
                    header = RequestHeader.parseFrom(request.header());
                    body = request.kind().requestParser().parseFrom(request.body());
                } catch (InvalidProtocolBufferException refused) {
                    return;
                }
                FsError error = cluster.ask(request.shard() % FuzzedShards.COUNT, request.kind(), header, body);
                if (error == FsError.FAULT) {
                    throw new AssertionError(request.kind() + " is answered FAULT: " + cluster.lastMessage());
                }
            }

            @Override
            public void check() {
                cluster.checkAlive(!shards);
            }

            @Override
            public void close() {
                cluster.close();
            }
        };
    }
}
