package io.steadfs.admin;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.partition.PartitionMap;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.CheckObjectsReply;
import io.steadfs.wire.proto.CheckObjectsRequest;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.ScanEntriesReply;
import io.steadfs.wire.proto.ScanEntriesRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Finds paths of directories by their handles. A directory's row names the directory above it, and the name is looked for
 * among the names there. A path is kept for a minute, so after a rename it may be old for so long. Thread-safe.
 */
public final class DirectoryPaths {
    /** Names of one directory that are looked through, unless the caller says otherwise. */
    public static final int USUAL_NAMES = 10_000;

    private static final int PAGE = 1_000;
    private static final int MOST_LEVELS = 200;
    private static final int MOST_KEPT = 10_000;
    private static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Transport transport;
    private final MapSource map;
    private final Caller caller;
    private final Clock clock;
    private final int mostNames;
    private final long timeoutMillis;
    private final Map<Handle, Kept> kept = new ConcurrentHashMap<>();

    /** Gives a cluster map, which may be some time old. */
    public interface MapSource {
        ClusterMap known() throws FsException;
    }

    private record Kept(Optional<String> path, long sinceNanos) {}

    /**
     * @param caller the superuser
     * @param mostNames the most names of one directory that are looked through. Below a directory with more, a path may
     *     stay unknown.
     * @param timeoutMillis longest wait for one answer, in milliseconds
     */
    public DirectoryPaths(
            Transport transport, MapSource map, Caller caller, Clock clock, int mostNames, long timeoutMillis) {
        this.transport = transport;
        this.map = map;
        this.caller = caller;
        this.clock = clock;
        this.mostNames = mostNames;
        this.timeoutMillis = timeoutMillis;
    }

    /**
     * The path; empty if the directory is gone, or if too many names would have to be looked through.
     *
     * @throws FsException if a shard does not answer; the message names the shard
     */
    public Optional<String> find(Handle directory) throws FsException {
        return find(directory, 0);
    }

    private Optional<String> find(Handle directory, int level) throws FsException {
        if (directory.equals(Handle.ROOT)) {
            return Optional.of("/");
        }
        Kept known = kept.get(directory);
        if (known != null && clock.monotonicNanos() - known.sinceNanos() < KEPT_NANOS) {
            return known.path();
        }
        Optional<String> path =
                level < MOST_LEVELS && directory.isOwnedByShard() ? asked(directory, level) : Optional.empty();
        if (kept.size() >= MOST_KEPT) {
            kept.clear();
        }
        kept.put(directory, new Kept(path, clock.monotonicNanos()));
        return path;
    }

    private Optional<String> asked(Handle directory, int level) throws FsException {
        Optional<CheckedObject> object = ask(
                        directory.shard(),
                        Kind.CHECK_OBJECTS,
                        CheckObjectsRequest.newBuilder()
                                .addObjects(directory.value())
                                .build(),
                        CheckObjectsReply.class)
                .getObjectsList()
                .stream()
                .filter(each -> each.getHandle() == directory.value() && each.getType() == FileType.DIRECTORY)
                .findFirst();
        if (object.isEmpty()) {
            return Optional.empty();
        }
        if (object.get().hasPartition()) {
            return find(new Handle(object.get().getPartition().getDirectory()), level + 1);
        }
        Handle parent = new Handle(object.get().getParent());
        Optional<String> above = find(parent, level + 1);
        Optional<String> name = above.isPresent() ? name(parent, directory) : Optional.empty();
        return name.map(each -> (above.get().equals("/") ? "" : above.get()) + "/" + each);
    }

    /** The name in the parent that leads to the directory. */
    private Optional<String> name(Handle parent, Handle directory) throws FsException {
        Search search = new Search(directory);
        if (search.in(parent)) {
            return search.name;
        }
        for (Handle partition : partitions(parent)) {
            if (search.in(partition)) {
                break;
            }
        }
        return search.name;
    }

    private final class Search {
        private final Handle directory;
        private int left = mostNames;
        private Optional<String> name = Optional.empty();

        Search(Handle directory) {
            this.directory = directory;
        }

        /** Looks through the names of a directory or partition. Returns whether the search is over. */
        boolean in(Handle parent) throws FsException {
            ByteString after = key(parent);
            while (left > 0) {
                ScanEntriesReply page = scan(parent, after, Math.min(PAGE, left), false);
                for (CheckedEntry each : page.getEntriesList()) {
                    if (each.getDirectory() != parent.value()) {
                        return false;
                    }
                    left--;
                    if (each.getObject() == directory.value()) {
                        name = Optional.of(each.getName());
                        return true;
                    }
                }
                if (!page.getMore()) {
                    return false;
                }
                after = page.getLast();
            }
            return true;
        }
    }

    /** The partitions of the directory besides the directory itself. */
    private List<Handle> partitions(Handle directory) throws FsException {
        List<Handle> partitions = new ArrayList<>();
        for (CheckedEntry each :
                scan(directory, key(directory), PartitionMap.MOST, true).getEntriesList()) {
            if (each.getDirectory() == directory.value()) {
                partitions.add(new Handle(each.getObject()));
            }
        }
        return partitions;
    }

    private ScanEntriesReply scan(Handle directory, ByteString after, int limit, boolean maps) throws FsException {
        return ask(
                directory.shard(),
                Kind.SCAN_ENTRIES,
                ScanEntriesRequest.newBuilder()
                        .setAfter(after)
                        .setLimit(limit)
                        .setMaps(maps)
                        .build(),
                ScanEntriesReply.class);
    }

    /** All keys of names in the directory, and of its map, begin with this. */
    private static ByteString key(Handle directory) {
        return ByteString.copyFrom(
                ByteBuffer.allocate(Long.BYTES).putLong(0, directory.value()).array());
    }

    private <T extends MessageLite> T ask(int shard, Kind kind, MessageLite body, Class<T> reply) throws FsException {
        ServerAddress address = ShardAddresses.find(map.known(), shard)
                .orElseThrow(() -> new FsException(FsError.UNREACHABLE, "shard " + shard + " is on no server"));
        return DirectQuestion.ask(
                transport,
                "shard " + shard,
                address,
                kind,
                RequestHeader.newBuilder()
                        .setStep("path of a directory")
                        .setShard(shard + 1)
                        .setCaller(caller),
                body,
                reply,
                timeoutMillis);
    }
}
