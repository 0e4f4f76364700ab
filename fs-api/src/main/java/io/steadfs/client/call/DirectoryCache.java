package io.steadfs.client.call;

import com.google.protobuf.MessageLite;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.MkdirsReply;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.StatReply;
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
            "The most directories of which a client remembers where they are, with stead.lookup=direct.");
    public static final List<ConfigKey<?>> KEYS = List.of(LOOKUP, DIRECTORIES);

    private final Map<String, Integer> shards;
    private final ClientCounters counters;

    private DirectoryCache(int most, ClientCounters counters) {
        this.counters = counters;
        this.shards = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
                return size() > most;
            }
        };
    }

    /** The cache of a client; empty if it looks up components. */
    public static Optional<DirectoryCache> of(Settings settings, ClientCounters counters) {
        return settings.get(LOOKUP) == Lookup.DIRECT
                ? Optional.of(new DirectoryCache(settings.get(DIRECTORIES).intValue(), counters))
                : Optional.empty();
    }

    /** Where a request about the path goes first. */
    Destination first(Kind kind, String path) {
        String directory = parent(path);
        Optional<Integer> shard = known(usesObject(kind) ? path : directory);
        if (shard.isPresent() || directory.isEmpty()) {
            counters.lookupsKnown.increment();
            return new Destination.Shard(shard.orElse(Handle.ROOT.shard()));
        }
        counters.lookupsCold.increment();
        return new Destination.OfPath(directory);
    }

    private synchronized Optional<Integer> known(String path) {
        String directory = path;
        while (!directory.isEmpty()) {
            Integer shard = shards.get(directory);
            if (shard != null) {
                return Optional.of(shard);
            }
            directory = parent(directory);
        }
        return Optional.empty();
    }

    /** Remembers what an answer tells about the path's directories. */
    void answered(Kind kind, String path, MessageLite request, Reply reply, int shard) {
        // Then the shard may be that of the directory at the path, and not of its name.
        boolean isInto =
                request instanceof RenameRequest rename && rename.getMode() == RenameRequest.Mode.INTO_DIRECTORY;
        if (isInto || !(reply.isOk() || reply.error() == FsError.NOT_FOUND)) {
            return;
        }
        Optional<Handle> directory = reply.isOk() ? directory(reply) : Optional.empty();
        if (directory.isPresent()) {
            put(path, directory.get().shard());
        } else if (!usesObject(kind) || kind == Kind.STAT) {
            found(path, shard);
        }
    }

    /** Remembers that a shard has the name of the path. */
    void found(String path, int shard) {
        put(parent(path), shard);
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

    private synchronized void put(String directory, int shard) {
        if (!directory.isEmpty()) {
            shards.put(directory, shard);
        }
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
}
