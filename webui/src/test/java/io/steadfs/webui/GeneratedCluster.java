package io.steadfs.webui;

import com.google.protobuf.ByteString;
import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.Fault;
import io.steadfs.admin.HandleAccount;
import io.steadfs.admin.IoServers;
import io.steadfs.admin.ServerStatus;
import io.steadfs.cluster.ClusterSpace.ServerSpace;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.LatencyCounts;
import io.steadfs.webui.cluster.Cluster;
import io.steadfs.wire.proto.AccountLeasesReply;
import io.steadfs.wire.proto.AccountLeasesReply.Account;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ConfigurationReply;
import io.steadfs.wire.proto.LeaseInfo;
import io.steadfs.wire.proto.ListOpenFilesReply;
import io.steadfs.wire.proto.OpenFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** As many servers and leases as nobody can run here: made up when they are asked for, behind the same interface as a real one's. */
final class GeneratedCluster implements Cluster {
    static final int LEASES_OF_A_SERVER = 1_000;
    static final int SHARDS = 4;
    static final int OPEN_FILES_OF_A_SHARD = 1_500;
    static final String HOSTILE = "<script>alert(1)</script>\"'&\u202e\u001b[2J\u05d0";
    private static final int HANDLES = 64;

    final AtomicLong ended = new AtomicLong();
    private final int ioServers;
    /** Which does not answer. */
    private final int silent;

    GeneratedCluster(int ioServers, int silent) {
        this.ioServers = ioServers;
        this.silent = silent;
    }

    @Override
    public ClusterStatus status() {
        List<ServerStatus> servers = new ArrayList<>();
        servers.add(server("mds-1", ServerStatus.SERVES, List.of()));
        for (int id = 1; id <= ioServers; id++) {
            String name = "io-" + id;
            servers.add(
                    id == silent
                            ? server(name, ServerStatus.SILENT, List.of(name + " does not answer"))
                            : server(name, ServerStatus.SERVES, List.of()));
        }
        List<Fault> faults = silent == 0
                ? List.of()
                : List.of(new Fault("io-" + silent, true, "io-" + silent + " does not answer", List.of()));
        return new ClusterStatus("generated", 7, 1, servers, faults);
    }

    private static ServerStatus server(String name, String state, List<String> problems) {
        return new ServerStatus(
                name,
                "host:" + name.length(),
                state,
                5_000,
                new ServerSpace(name, state.equals(ServerStatus.SERVES), 1L << 40, 1L << 38, 1L << 39, "", 1_000),
                Map.of("messages.in.CREATE", 3L),
                Map.of("queue.length", 0L),
                Map.of("CREATE", LatencyCounts.none()),
                problems,
                "");
    }

    @Override
    public HandleAccount account() {
        List<HandleAccount.Server> servers = IntStream.rangeClosed(1, ioServers)
                .filter(id -> id != silent)
                .mapToObj(id -> new HandleAccount.Server(
                        "io-" + id,
                        AccountLeasesReply.newBuilder()
                                .setSum(Account.newBuilder().setPooled(10).setLeases(LEASES_OF_A_SERVER))
                                .addAccounts(Account.newBuilder()
                                        .setHolder(id)
                                        .setName(HOSTILE)
                                        .setPooled(10))
                                .setHolders(1)
                                .setHolderMost(20)
                                .build(),
                        100))
                .toList();
        return HandleAccount.of(
                servers, Map.of(), silent == 0 ? Map.of() : Map.of("io-" + silent, "io-" + silent + " is silent"));
    }

    @Override
    public HandleAccount validate() {
        return account();
    }

    @Override
    public List<ClusterMap.Server> ioServers() {
        return IntStream.rangeClosed(1, ioServers)
                .mapToObj(id -> ClusterMap.Server.newBuilder()
                        .setRole(ClusterMap.Role.IO)
                        .setId(id)
                        .setHost("host")
                        .setPort(1)
                        .build())
                .toList();
    }

    @Override
    public List<LeaseInfo> leases(ClusterMap.Server server, long after, int limit) throws FsException {
        if (server.getId() == silent) {
            throw new FsException(FsError.UNREACHABLE, "io-" + silent + " is silent");
        }
        return IntStream.range(0, LEASES_OF_A_SERVER)
                .mapToObj(i -> LeaseInfo.newBuilder()
                        .setFirst(Handle.of(server.getId(), 1, 1 + (long) i * HANDLES)
                                .value())
                        .setCount(HANDLES)
                        .setUnused(1)
                        .setHolder(1 + i % 7)
                        .setName(i == 0 ? HOSTILE : "client-" + i)
                        .setLeftMillis(i % 3 == 0 ? 0 : 1000)
                        .build())
                .filter(lease -> Long.compareUnsigned(lease.getFirst(), after) > 0)
                .limit(limit)
                .toList();
    }

    @Override
    public int shards() {
        return SHARDS;
    }

    /** Each row of the middle shard is one that tells nothing; the last one does not answer where an IO server does not. */
    @Override
    public ListOpenFilesReply openFiles(int shard, ByteString cursor, int limit) throws FsException {
        if (silent != 0 && shard == SHARDS - 1) {
            throw new FsException(FsError.UNREACHABLE, "shard " + shard + " is silent");
        }
        int from = 0;
        if (!cursor.isEmpty()) {
            try {
                from = Integer.parseInt(cursor.toStringUtf8());
            } catch (NumberFormatException e) {
                throw new FsException(FsError.INVALID_ARGUMENT, "the cursor is none of this server");
            }
        }
        int to = Math.min(OPEN_FILES_OF_A_SHARD, from + limit);
        ListOpenFilesReply.Builder reply = ListOpenFilesReply.newBuilder();
        for (int i = from; i < to && shard != 1; i++) {
            reply.addFiles(OpenFile.newBuilder()
                    .setMetafile(Handle.of(Handle.FIRST_SHARD_OWNER + shard, 1, 1 + i)
                            .value())
                    .setPath(i == 0 ? "/" + HOSTILE : "/logs/" + shard + "/" + i)
                    .setUser("user-" + i % 7)
                    .setClient("host, job " + i)
                    .setSession("0000002a")
                    .setOpenedMillis(i == 1 ? 0 : 1_700_000_000_000L)
                    .setLength(i));
        }
        return reply.setNext(
                        to < OPEN_FILES_OF_A_SHARD ? ByteString.copyFromUtf8(Integer.toString(to)) : ByteString.EMPTY)
                .build();
    }

    @Override
    public Optional<List<ConfigurationReply.Value>> configuration(String server) {
        return server.equals("mds-1")
                ? Optional.of(List.of(ConfigurationReply.Value.newBuilder()
                        .setKey("stead.port")
                        .setValue("7410")
                        .setOrigin("mds.conf, line 1")
                        .build()))
                : Optional.empty();
    }

    @Override
    public IoServers.Ended endLeases(long holder) {
        ended.addAndGet(ioServers - 1);
        return new IoServers.Ended(2 * (ioServers - 1), List.of("io-" + silent + " is silent"));
    }
}
