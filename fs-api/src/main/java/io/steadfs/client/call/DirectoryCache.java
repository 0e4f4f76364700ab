package io.steadfs.client.call;

import com.google.protobuf.MessageLite;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.partition.NameHash;
import io.steadfs.partition.PartitionMap;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.MkdirsReply;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.StatReply;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where directories are, as hints where to ask first (h-flat, section 3.1). No server believes a hint: the shard that
 * is asked resolves the whole path by itself, and sends the request on if another shard must answer it. So an old hint
 * costs a message, and nothing else. Thread-safe.
 *
 * <pre>
 *  a request for /a/b/c goes to
 *    the shard of /a/b/c        if that directory is known, and the request uses what the path leads to
 *    the shard of /a/b or /a    the deepest known one
 *    that of a partition        of the deepest known one, if its map is known
 *    the shard of the root      for /c
 *    hash(/a/b) mod shards      if none is known
 * </pre>
 *
 * Paths are kept without a leading slash; the root is empty.
 */
public final class DirectoryCache {
    /** How clients look up the directories of a path. */
    public enum Lookup {
        COMPONENT,
        DIRECT
    }

    static final ConfigKey<Lookup> LOOKUP = new ConfigKey<>(
            "stead.lookup",
            "direct",
            "",
            "How paths are looked up in a cluster of several metadata shards: 'direct' asks the shard of the directory at"
                    + " once, if the client has met it, and any shard resolves the whole path; 'component' begins each"
                    + " operation at the shard of the root, which sends it on.",
            text -> switch (text) {
                case "component" -> Lookup.COMPONENT;
                case "direct" -> Lookup.DIRECT;
                default -> throw new IllegalArgumentException("is neither 'component' nor 'direct'");
            });
    static final ConfigKey<Long> DIRECTORIES = ConfigKey.number(
            "stead.client.directories",
            10_000,
            1,
            10_000_000,
            "",
            "The most directories of which a client remembers where they are, with stead.lookup=direct. A directory with"
                    + " several partitions counts for each of them.");
    public static final List<ConfigKey<?>> KEYS = List.of(LOOKUP, DIRECTORIES);

    private final Map<String, Place> places = new LinkedHashMap<>(16, 0.75f, true);
    private final int most;
    private final ClientCounters counters;
    /** How much of {@link #most} is used. */
    private int size;

    /**
     * Where a directory is.
     *
     * @param shard the shard of the directory itself
     * @param map where its names are; empty = all are on that shard
     */
    private record Place(int shard, Optional<PartitionMap> map) {
        int shardOf(String name) {
            return map.map(known -> known.of(NameHash.of(name)).handle().shard())
                    .orElse(shard);
        }

        int size() {
            return map.map(known -> known.partitions().size()).orElse(1);
        }
    }

    private DirectoryCache(int most, ClientCounters counters) {
        this.most = most;
        this.counters = counters;
    }

    /** The cache of a client; empty if it looks up components. */
    public static Optional<DirectoryCache> of(Settings settings, ClientCounters counters) {
        return settings.get(LOOKUP) == Lookup.DIRECT
                ? Optional.of(new DirectoryCache(settings.get(DIRECTORIES).intValue(), counters))
                : Optional.empty();
    }

    /** Where a request about the path goes first. */
    Destination first(Kind kind, String path) {
        Optional<Integer> shard = usesObject(kind) ? known(path) : knownOfName(path);
        if (shard.isPresent() || parent(path).isEmpty()) {
            counters.lookupsKnown.increment();
            return new Destination.Shard(shard.orElse(Handle.ROOT.shard()));
        }
        counters.lookupsCold.increment();
        return new Destination.OfPath(parent(path));
    }

    /** The shard of the directory at the path, or else of the name that leads on from the deepest known directory. */
    private synchronized Optional<Integer> known(String path) {
        Place place = places.get(path);
        return place != null ? Optional.of(place.shard()) : knownOfName(path);
    }

    private synchronized Optional<Integer> knownOfName(String path) {
        String below = path;
        while (!below.isEmpty()) {
            Place place = places.get(parent(below));
            if (place != null) {
                return Optional.of(place.shardOf(name(below)));
            }
            below = parent(below);
        }
        return Optional.empty();
    }

    /** Remembers what an answer tells about the path's directories. */
    void answered(Kind kind, String path, MessageLite request, Reply reply, int shard) {
        if (isInto(request) || !(reply.isOk() || reply.error() == FsError.NOT_FOUND)) {
            return;
        }
        Optional<Handle> directory = reply.isOk() ? directory(reply) : Optional.empty();
        if (directory.isPresent()) {
            found(path, directory.get());
        } else if (!usesObject(kind) || kind == Kind.STAT) {
            found(path, shard);
        }
    }

    /** Remembers that a shard has the name of the path. */
    synchronized void found(String path, int shard) {
        String directory = parent(path);
        Place known = places.get(directory);
        boolean isKnown = known != null && known.map().isPresent() && known.shardOf(name(path)) == shard;
        if (!isKnown && !directory.isEmpty()) {
            put(directory, new Place(shard, Optional.empty()));
        }
    }

    private synchronized void found(String path, Handle directory) {
        Place known = places.get(path);
        boolean isKnown = known != null
                && known.map().filter(map -> map.directory().equals(directory)).isPresent();
        if (!isKnown && !path.isEmpty()) {
            put(path, new Place(directory.shard(), Optional.empty()));
        }
    }

    /**
     * Remembers the map that was answered to a request, which replaces an older one.
     *
     * @param isOfObject whether the map is of the directory at the path, and not of the one that has the last name
     */
    synchronized void learned(String path, MessageLite request, PartitionMap map, boolean isOfObject) {
        if (!isInto(request)) {
            put(isOfObject ? path : parent(path), new Place(map.directory().shard(), Optional.of(map)));
        }
    }

    /** The directory that is at the path, if the reply tells. */
    private static Optional<Handle> directory(Reply reply) {
        Attributes attributes = reply.body() instanceof StatReply stat
                ? stat.getAttributes()
                : reply.body() instanceof MkdirsReply made
                        ? made.getAttributes()
                        : reply.body() instanceof ListReply list
                                ? list.getAttributes()
                                : Attributes.getDefaultInstance();
        Handle handle = new Handle(attributes.getHandle());
        return attributes.getType() == FileType.DIRECTORY && handle.isOwnedByShard()
                ? Optional.of(handle)
                : Optional.empty();
    }

    private void put(String directory, Place place) {
        Place old = places.put(directory, place);
        size += place.size() - (old == null ? 0 : old.size());
        Iterator<Place> eldest = places.values().iterator();
        while (size > most && places.size() > 1) {
            size -= eldest.next().size();
            eldest.remove();
        }
    }

    /** Whether a request may be about the directory at the path, or about its name. */
    private static boolean isInto(MessageLite request) {
        return request instanceof RenameRequest rename && rename.getMode() == RenameRequest.Mode.INTO_DIRECTORY;
    }

    /** Whether requests of this kind are about what the path leads to, and not about its name. */
    private static boolean usesObject(Kind kind) {
        return switch (kind) {
            case CREATE, MKDIRS, CREATE_SYMLINK, DELETE, RENAME, LINK -> false;
            default -> true;
        };
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
