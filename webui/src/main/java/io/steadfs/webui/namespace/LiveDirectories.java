package io.steadfs.webui.namespace;

import com.google.protobuf.ByteString;
import io.steadfs.admin.DirectoryPaths;
import io.steadfs.admin.PartitionActivities;
import io.steadfs.admin.PartitionActivities.Giving;
import io.steadfs.client.SteadFs;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.client.list.PartitionInfo;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.HandOver.Kind;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads the directories of a real cluster. */
public final class LiveDirectories implements Directories {
    /** The timeout for one request in milliseconds. The timeout is short because a user waits for the page. */
    private static final long TIMEOUT_MILLIS = 2_000;

    /** When so much time was spent on the paths of one answer, the other directories are shown by their handles. */
    private static final long PATHS_NANOS = TimeUnit.SECONDS.toNanos(4);

    private final SteadFs fs;
    private final Transport transport;
    private final Clock clock;
    private final DirectoryPaths paths;

    /** @param caller the superuser, on whose behalf {@code fs} was made */
    public LiveDirectories(SteadFs fs, Transport transport, Caller caller, Clock clock) {
        this.fs = fs;
        this.transport = transport;
        this.clock = clock;
        this.paths = new DirectoryPaths(
                transport, fs::knownClusterMap, caller, clock, DirectoryPaths.USUAL_NAMES, TIMEOUT_MILLIS);
    }

    @Override
    public FileInfo info(FsPath path) throws FsException {
        return fs.stat(path);
    }

    @Override
    public ListPage list(FsPath path, ByteString cursor, int limit) throws FsException {
        return fs.list(path, cursor, limit);
    }

    @Override
    public @Nullable String host(int shard) throws FsException {
        return host(fs.knownClusterMap(), shard);
    }

    private static @Nullable String host(ClusterMap map, int shard) {
        OptionalInt host = ShardAddresses.host(map, shard);
        return host.isPresent() ? "mds-" + host.getAsInt() : null;
    }

    private PartitionActivities activities() throws FsException {
        return new PartitionActivities(transport, fs.knownClusterMap(), TIMEOUT_MILLIS);
    }

    @Override
    public Partitions partitions(FsPath path) throws FsException {
        try {
            Handle directory = fs.stat(path).handle();
            List<PartitionInfo> map = fs.partitions(path);
            PartitionActivities.Answers now = activities()
                    .of(
                            directory,
                            map.stream().map(PartitionInfo::shard).distinct().toList());
            ClusterMap servers = fs.knownClusterMap();
            return new Partitions(
                    map.stream().map(each -> partition(each, now, servers)).toList(), now.problems());
        } catch (FsException e) {
            return new Partitions(List.of(), List.of(String.valueOf(e.getMessage())));
        }
    }

    private static Partition partition(PartitionInfo each, PartitionActivities.Answers now, ClusterMap servers) {
        Optional<Double> rate = now.partitions().stream()
                .filter(told -> told.shard() == each.shard() && told.rate().getNumber() == each.number())
                .map(told -> told.rate().getNamesPerSecond())
                .findFirst();
        Optional<Giving> from = now.givings().stream()
                .filter(giving -> giving.handOver().getSource() == each.number())
                .findFirst();
        Optional<Giving> to = now.givings().stream()
                .filter(giving -> giving.handOver().getKind() == Kind.MERGE
                        && giving.handOver().getTarget() == each.number())
                .findFirst();
        Optional<Giving> moves = from.or(() -> to);
        return new Partition(
                each.number(),
                each.depth(),
                hex(each.firstHash()),
                hex(each.lastHash()),
                each.shard(),
                host(servers, each.shard()),
                each.entries(),
                rate.orElse(null),
                from.map(giving -> state(giving.handOver().getKind()))
                        .orElse(to.isPresent() ? Partition.GETS : Partition.STEADY),
                moves.map(giving -> from.isPresent()
                                ? giving.handOver().getTarget()
                                : giving.handOver().getSource())
                        .orElse(null),
                moves.flatMap(LiveDirectories::since).orElse(null),
                each.countedWith() == each.number() ? null : each.countedWith());
    }

    /** What a partition does that gives names. */
    private static String state(Kind kind) {
        return switch (kind) {
            case MERGE -> Partition.ENDS;
            case MOVE -> Partition.MOVES;
            case SPLIT, HALVE, UNRECOGNIZED -> Partition.SPLITS;
        };
    }

    private static String hex(long hash) {
        return HexFormat.of().toHexDigits(hash);
    }

    private static Optional<Long> since(Giving giving) {
        long since = giving.handOver().getSinceMillis();
        return since == 0 ? Optional.empty() : Optional.of(since);
    }

    @Override
    public Activity activity(int most) throws FsException {
        PartitionActivities.Answers answers = activities().hottest(PartitionActivities.MOST);
        List<String> problems = new ArrayList<>(answers.problems());
        Paths found = new Paths(problems);
        List<HotDirectory> directories = answers.directories().stream()
                .limit(most)
                .map(each -> new HotDirectory(
                        each.directory().toString(),
                        found.of(each.directory()),
                        each.namesPerSecond(),
                        each.partitions().size(),
                        each.shards(),
                        each.entries(),
                        each.partitions().get(0).rate().getNamesPerSecond()))
                .toList();
        ClusterMap servers = fs.knownClusterMap();
        List<HandOver> handOvers = answers.givings().stream()
                .map(each -> handOver(each, found, servers))
                .toList();
        return new Activity(directories, handOvers, problems);
    }

    private static HandOver handOver(Giving giving, Paths found, ClusterMap servers) {
        io.steadfs.wire.proto.HandOver told = giving.handOver();
        Handle directory = new Handle(told.getDirectory());
        PartitionInfo given = told.getKind() == Kind.MERGE || told.getKind() == Kind.MOVE
                ? new PartitionInfo(told.getSource(), told.getSourceDepth(), giving.shard(), 0)
                : new PartitionInfo(told.getTarget(), told.getSourceDepth() + 1, told.getTargetShard(), 0);
        return new HandOver(
                directory.toString(),
                found.of(directory),
                told.getKind().name().toLowerCase(Locale.ROOT),
                told.getSource(),
                giving.shard(),
                host(servers, giving.shard()),
                told.getEntries(),
                told.getTarget(),
                told.hasTargetShard() ? told.getTargetShard() : null,
                hex(given.firstHash()),
                hex(given.lastHash()),
                since(giving).orElse(null));
    }

    /** The paths of one answer. */
    private final class Paths {
        private final long beganNanos = clock.monotonicNanos();
        private final List<String> problems;

        Paths(List<String> problems) {
            this.problems = problems;
        }

        @Nullable
        String of(Handle directory) {
            if (clock.monotonicNanos() - beganNanos > PATHS_NANOS) {
                return null;
            }
            try {
                return paths.find(directory).orElse(null);
            } catch (FsException e) {
                String why = String.valueOf(e.getMessage());
                if (!problems.contains(why)) {
                    problems.add(why);
                }
                return null;
            }
        }
    }
}
