package io.steadfs.fuzz;

import io.steadfs.cluster.ClusterView;
import io.steadfs.cluster.HomeShard;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.config.ConfigException;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.partition.PartitionMap;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Values that are read from text or from messages. */
public final class ValuesTargets {
    private static final Words ADDRESSES = new Words(
            List.of(
                    Handle.ROOT.value(),
                    7410L,
                    1L,
                    3L,
                    Handle.of(Handle.FIRST_SHARD_OWNER + 2, 0, 9).value()),
            List.of("io-1", "127.0.0.1", "::1", "mds", "/rack"));

    private ValuesTargets() {}

    /** Paths: what is no path is refused with an FsException; what is one reads back as it is written. */
    public static FuzzTarget paths() {
        // A name that is not ASCII is encoded to be measured, each with an encoder of its own.
        return new Decoding(
                "paths",
                512,
                Texts.like("a/b/c", "/user/alice/.staging", "\u00e4\u20ac/x", "", "/", "d/".repeat(40) + "e"),
                input -> {
                    FsPath path;
                    try {
                        path = FsPath.parse(Texts.of(input));
                    } catch (FsException e) {
                        return;
                    }
                    if (!FsPath.parse(path.relative()).equals(path)
                            || !FsPath.parse(path.toString()).equals(path)) {
                        throw new AssertionError(path + " does not read back");
                    }
                    for (String name : path.components()) {
                        if (name.getBytes(StandardCharsets.UTF_8).length > FsPath.MAX_NAME_BYTES) {
                            throw new AssertionError("a name is longer than it may be");
                        }
                    }
                });
    }

    /** Addresses of servers and handles, as text. */
    public static FuzzTarget names() {
        return new Decoding("addresses", Texts.like("localhost:7410", "[::1]:80", "8000_00_000000002a"), input -> {
            String text = Texts.of(input);
            try {
                ServerAddress address = ServerAddress.parse(text);
                if (!ServerAddress.parse(address.toString()).equals(address)) {
                    throw new AssertionError(address + " does not read back");
                }
            } catch (IllegalArgumentException refused) {
                // As its contract says.
            }
            try {
                if (!Handle.parse(text).toString().equals(text)) {
                    throw new AssertionError("handle " + text + " does not read back");
                }
            } catch (IllegalArgumentException refused) {
                // As its contract says.
            }
        });
    }

    /** Text of each configuration key of a program. */
    public static FuzzTarget settings(String name, ConfigKeys keys) {
        List<ConfigKey<?>> list = keys.list();
        return new Decoding(
                name,
                Texts.like(
                        "64k",
                        "true",
                        "10000",
                        "host:1,host:2",
                        "",
                        "unified",
                        "/steadfs",
                        "-1",
                        "9223372036854775807g"),
                input -> {
                    ConfigKey<?> key = list.get(Math.floorMod(Arrays.hashCode(input), list.size()));
                    try {
                        Settings.of(Map.of(key.name(), Texts.of(input))).get(key);
                    } catch (ConfigException refused) {
                        if (!String.valueOf(refused.getMessage()).contains(key.name())) {
                            throw new AssertionError("a refusal does not name " + key.name(), refused);
                        }
                    }
                });
    }

    /** Cluster maps, as a metadata server gives them: what cannot be is refused as a whole; the rest names addresses. */
    public static FuzzTarget clusterMaps() {
        Messages messages = new Messages(ADDRESSES);
        ClusterMap type = ClusterMap.getDefaultInstance();
        // An empty message takes two bytes and costs an object, and is looked up among all.
        return new Decoding("cluster-maps", 1024, random -> messages.bytes(random, type), input -> {
            ClusterMap map;
            ClusterView view;
            try {
                map = ClusterMap.parseFrom(input);
                view = new ClusterView(map);
            } catch (com.google.protobuf.InvalidProtocolBufferException | IllegalArgumentException refused) {
                return;
            }
            for (ClusterMap.Server server : map.getServersList()) {
                view.ioServer(server.getId());
            }
            for (ClusterMap.Shard shard : map.getShardsList()) {
                view.shard(shard.getNumber());
                ShardAddresses.find(map, shard.getNumber());
            }
            HomeShard.of(Arrays.hashCode(input), view.shards().serving());
        });
    }

    /** Partition maps of replies: what is none is refused; what is one names a shard for every hash. */
    public static FuzzTarget partitionMaps() {
        Messages messages = new Messages(ADDRESSES);
        io.steadfs.wire.proto.PartitionMap type = io.steadfs.wire.proto.PartitionMap.getDefaultInstance();
        return new Decoding("partition-maps", random -> messages.bytes(random, type), input -> {
            PartitionMap map;
            try {
                map = PartitionMap.fromProto(io.steadfs.wire.proto.PartitionMap.parseFrom(input));
            } catch (com.google.protobuf.InvalidProtocolBufferException | IllegalArgumentException refused) {
                return;
            }
            SplittableRandom hashes = new SplittableRandom(Arrays.hashCode(input));
            for (int i = 0; i < 8; i++) {
                long hash = hashes.nextLong();
                if (!map.of(hash).has(hash)) {
                    throw new AssertionError(map + " names " + map.of(hash) + " for " + Long.toHexString(hash));
                }
            }
            if (!PartitionMap.fromProto(map.toProto()).equals(map)) {
                throw new AssertionError(map + " does not read back");
            }
        });
    }
}
