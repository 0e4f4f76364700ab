package io.steadfs.membership;

import io.steadfs.cluster.ClusterView;
import io.steadfs.config.Settings;
import io.steadfs.fuzz.Bits;
import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Texts;
import io.steadfs.handle.Handle;
import io.steadfs.hello.TestHello;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCacheStorage;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.data.Stat;

/**
 * Nodes in ZooKeeper that hold anything, under names that are ours or not. What a server learns of them is a cluster map
 * that a client can use, or a refusal that names a node.
 *
 * <pre>
 *  0        1       2        4
 * +--------+-------+--------+------+-----+
 * | parent | name  | length | text | ... |
 * +--------+-------+--------+------+-----+
 * </pre>
 */
final class ZooKeeperNodesTarget implements FuzzTarget {
    private static final int FIXED = 4;
    private static final FileSystemFormat FORMAT = FileSystemFormat.fresh(Settings.defaults(), "alice", 1);
    private static final List<String> NAMES = List.of(
            "mds-1", "io-1", "io-2", "io-32767", "0", "1", "255", "256", "x", "io-0", "-1", "00", "io-1/y", "8000");
    private static final String ID = "\"9b2f4f5e-0c59-4b7e-a3a1-111111111111\"";
    private static final String SERVER = "{\"store\":" + ID + ",\"firstAddress\":\"h:1\"}";
    private static final String ALIVE =
            "{\"address\":\"h:1\",\"rack\":\"/r\",\"capacityBytes\":9,\"freeBytes\":8,\"place\":\"p\"}";
    private static final String EPOCH =
            "{\"epoch\":7,\"alive\":{\"mds-1\":\"h:1\",\"io-1\":\"[::1]:2\"},\"shards\":{\"0\":1}}";
    private static final String SHARD = "{\"server\":1,\"ready\":true,\"movesTo\":2,\"given\":true,\"moved\":true}";
    private static final String SEQUENCE = "{\"incarnation\":1,\"ceiling\":100,\"recordedIncarnation\":1,"
            + "\"recordedCeiling\":100,\"holder\":" + ID + "}";
    private static final String FORMAT_TEXT = new String(Json.encode(FORMAT), StandardCharsets.UTF_8);
    private static final List<String> GOOD = List.of(SERVER, ALIVE, SHARD, EPOCH, SEQUENCE, FORMAT_TEXT);
    private static final int PARENTS = GOOD.size();

    private final Function<RandomGenerator, byte[]> texts =
            Texts.inFiles(SERVER, ALIVE, SHARD, EPOCH, SEQUENCE, FORMAT_TEXT, "null", "{}", "[[[[", "70000", "");

    @Override
    public String name() {
        return "zookeeper-nodes";
    }

    @Override
    public long mostAllocatedBytes(int inputBytes) {
        return (256 << 10) + 512L * inputBytes;
    }

    @Override
    public byte[] input(RandomGenerator random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = random.nextInt(4); i >= 0; i--) {
            int parent = random.nextInt(PARENTS);
            byte[] text = random.nextInt(3) == 0
                    ? texts.apply(random)
                    : GOOD.get(parent).getBytes(StandardCharsets.UTF_8);
            if (random.nextInt(4) == 0) {
                text = Bits.spoiledOnce(random, text, text);
            }
            byte[] cut = Arrays.copyOf(text, Math.min(text.length, 0xffff));
            out.write(parent);
            out.write(random.nextInt(4) == 0 ? random.nextInt(NAMES.size()) : parent == 2 ? 4 : random.nextInt(3));
            out.write(cut.length >> 8);
            out.write(cut.length);
            out.writeBytes(cut);
        }
        return out.toByteArray();
    }

    @Override
    public Trial begin() {
        return new Nodes();
    }

    private static final class Nodes implements Trial {
        private final CuratorFramework unconnected =
                CuratorFrameworkFactory.newClient("127.0.0.1:1", new RetryOneTime(1));
        private final ZooKeeperTree tree = new ZooKeeperTree(
                unconnected, "127.0.0.1:1", "/root", 1000, new NodeAccess("/root", () -> TestHello.SECRET));
        private final CuratorCacheStorage storage = CuratorCacheStorage.standard();
        private final WatchedTree watched = new WatchedTree(tree, FORMAT, storage, () -> {});

        private interface Reader {
            void read() throws MembershipException;
        }

        @Override
        public void feed(byte[] input) {
            storage.clear();
            for (int at = 0; at + FIXED <= input.length; ) {
                int length =
                        Math.min(((input[at + 2] & 0xff) << 8) | (input[at + 3] & 0xff), input.length - at - FIXED);
                byte[] text = Arrays.copyOfRange(input, at + FIXED, at + FIXED + length);
                put(Math.floorMod(input[at], PARENTS), NAMES.get(Math.floorMod(input[at + 1], NAMES.size())), text);
                at += FIXED + length;
            }
            Strangers strangers = new Strangers();
            var unused = new ClusterView(watched.map(strangers));
            strangers.byPath().forEach((path, why) -> {
                if (!why.contains(path)) {
                    throw new AssertionError(why + " does not name " + path);
                }
            });
            watched.shardsOf(1);
            watched.places().forEach((shard, place) -> {
                if (place.movesTo() != 0 && place.move() > place.version()) {
                    throw new AssertionError("an impossible move of shard " + shard + ": " + place);
                }
            });
            watched.seemsUncounted();
            watched.showsAlive(ServerId.io(1));
        }

        private void put(int parent, String name, byte[] text) {
            String path = switch (parent) {
                case 0 -> tree.servers() + "/" + name;
                case 1 -> tree.allAlive() + "/" + name;
                case 2 -> tree.shards() + "/" + name;
                case 3 -> tree.epoch();
                case 4 -> tree.sequences() + "/" + name;
                default -> tree.format();
            };
            storage.put(new ChildData(path, new Stat(), text));
            if (parent == 4) {
                accepts(() -> {
                    SequenceNode node = Json.decode(text, SequenceNode.class, path + " in ZooKeeper");
                    SequenceRecord from = SequenceBlocks.startAt("owner", node, SequenceRecord.NOTHING);
                    Handle.of(1, from.incarnation(), Math.max(1, Math.min(from.ceiling(), Handle.MAX_SEQUENCE)));
                });
            } else if (parent == 5) {
                accepts(() -> Json.decode(text, FileSystemFormat.class, path + " in ZooKeeper")
                        .check(tree));
            }
        }

        private void accepts(Reader reader) {
            try {
                reader.read();
            } catch (MembershipException refused) {
                Optional<String> message = Optional.ofNullable(refused.getMessage());
                if (!message.orElse("").contains(tree.root() + "/")) {
                    throw new AssertionError("a refusal names no node", refused);
                }
            }
        }

        @Override
        public void close() {
            watched.close();
            unconnected.close();
        }
    }
}
