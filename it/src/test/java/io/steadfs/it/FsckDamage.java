package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.SteadFs;
import io.steadfs.fsck.FindingKind;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.mds.deletion.DatafilesQueued;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.Giving;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.SymlinkRow;
import io.steadfs.mds.intent.IntentDecided;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.IntentsSkipped;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.intent.SlotPrepared;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.NoticeQueued;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.membership.ServerId;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.path.FsPath;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.wire.proto.LockSource;
import io.steadfs.wire.proto.PrepareAction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** Damage on the disks of a cluster that does not run: so many of each kind, and of nothing else. */
public final class FsckDamage implements AutoCloseable {
    /** Those that are planted; leases need a cluster that does not end them at once: {@link FsckLeasesTest}. */
    public static final Set<FindingKind> KINDS = Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(
            FindingKind.EXPIRED_LEASE,
            FindingKind.OVERLAPPING_LEASES,
            FindingKind.UNREADABLE_ROWS,
            FindingKind.DAMAGED_FILE)));

    /** Kinds that are about directories with several partitions. */
    private static final Set<FindingKind> MAPS =
            EnumSet.of(FindingKind.DAMAGED_MAP, FindingKind.UNMAPPED_PARTITION, FindingKind.LOST_PARTITION);

    /**
     * For {@code stead.io.confirm.after}, in milliseconds: IO servers take unconfirmed datafiles back that their
     * metafile does not list, as planted foreign ones are not.
     */
    public static final String NEVER_CONFIRMED = "86400000";

    private static final int IO_SERVERS = 2;

    private final int each;
    private final StoredShards shards;
    private final Map<Integer, Store> ioServers = new HashMap<>();
    private final Map<Integer, Overlay> ioRows = new HashMap<>();
    private final Map<Handle, DirentKey> names = new HashMap<>();
    /** Directories that users see, by those that have names: a partition's directory, or the same. */
    private final Map<Handle, Handle> seen = new HashMap<>();

    private int healed;
    private final Map<FindingKind, Integer> planted = new EnumMap<>(FindingKind.class);

    /** Empty directories that {@link #plant} wants to find, one more of each kind than is planted. */
    public static String directory(FindingKind kind, int number) {
        return "/planted/" + kind.label() + "/" + number;
    }

    /** Makes the directories that {@link #plant} wants to find. */
    public static void makeDirectories(SteadFs fs, int each) throws IOException {
        for (FindingKind kind : FindingKind.values()) {
            for (int i = 0; i <= each; i++) {
                FsPath path = FsPath.parse(directory(kind, i));
                fs.mkdirs(path, 0755, true, false);
                if (MAPS.contains(kind)) {
                    split(fs, path);
                }
            }
        }
    }

    /** Spreads an empty directory over several partitions. */
    static void split(SteadFs fs, FsPath path) throws IOException {
        fs.setXattr(path, DirectoryHints.EXPECTED_FILES, "60000".getBytes(StandardCharsets.UTF_8), true, true);
    }

    /** Of one metadata server with all shards, and two IO servers. */
    public static FsckDamage open(Path data, int shardCount, int each) throws IOException {
        return new FsckDamage(data, shardCount, each);
    }

    private FsckDamage(Path data, int shardCount, int each) throws IOException {
        this.each = each;
        shards = StoredShards.open(data, shardCount);
        for (int server = 1; server <= IO_SERVERS; server++) {
            Store store = StoredDatafiles.openStore(data, ServerId.parse("io-" + server));
            ioServers.put(server, store);
            ioRows.put(server, store.overlay());
        }
        for (int shard = 0; shard < shards.count(); shard++) {
            Overlay rows = shards.rows(shard);
            try (ReadView.Cursor cursor = rows.scan(ShardTables.DIRENT, new byte[0], end())) {
                while (cursor.next()) {
                    byte[] key = cursor.key();
                    DirentKey name = DirentKey.of(
                            new Handle(ByteBuffer.wrap(key).getLong()),
                            new String(key, 16, key.length - 16, StandardCharsets.UTF_8));
                    names.put(new Handle(Dirents.find(rows, name).orElseThrow().getHandle()), name);
                    seen.computeIfAbsent(name.directory(), shards::whole);
                }
            }
        }
    }

    /** A closed file with bytes in its first column. */
    private record Sound(Handle metafile, MetafileRow row) {
        Handle datafile() {
            return new Handle(row.getLayout().getDatafiles(0));
        }
    }

    /** Plants so many of each kind. */
    public void plant() throws IOException {
        var unused = plant(false);
    }

    /**
     * @param isOfMaps whether to plant more of what can be wrong with maps, which makes several findings each
     * @return findings that are to come of it
     */
    Map<FindingKind, Integer> plant(boolean isOfMaps) throws IOException {
        for (FindingKind kind : KINDS) {
            planted.put(kind, each);
        }
        List<Sound> sound = sound(shards.rows(0));
        List<Sound> greedy = sound(shards.rows(1));
        assertThat(sound).hasSizeGreaterThan(14 * each);
        assertThat(greedy).hasSizeGreaterThan(each);
        for (int i = 0; i < each; i++) {
            datafiles(i, sound, greedy.get(i));
            index(i, sound);
            namesOfFiles(i, sound);
            directories(i);
            maps(i);
            unreadable(i);
            pending(i);
        }
        ring();
        if (isOfMaps) {
            for (int i = each; i < 2 * each; i++) {
                entries(i);
            }
        }
        shards.commit();
        for (Map.Entry<Integer, Store> server : ioServers.entrySet()) {
            server.getValue().commit(ofIoServer(server.getKey()), true);
        }
        return planted;
    }

    private Sound of(List<Sound> sound, int kind, int i) {
        return sound.get(kind * each + i);
    }

    private void datafiles(int i, List<Sound> sound, Sound by) {
        Handle leaked = Handle.of(1 + i % 2, 0xff, 1 + i);
        put(leaked, datafileRow(of(sound, 0, i).datafile()));

        Handle missing = of(sound, 1, i).datafile();
        ofIoServer(missing.owner()).delete(DatafileTables.DATAFILE, DatafileTables.key(missing));

        put(of(sound, 2, i).datafile(), datafileRow(of(sound, 3, i).datafile()));

        Sound cut = of(sound, 4, i);
        shards.rows(0)
                .put(
                        ShardTables.INODE,
                        key(cut.metafile()),
                        typed(cut.row().toBuilder().setLength(200).build()));

        put(of(sound, 5, i).datafile(), new byte[] {1, 2, 3});

        Handle flipped = of(sound, 13, i).datafile();
        byte[] key = DatafileTables.key(flipped);
        byte[] bytes = ofIoServer(flipped.owner())
                .get(DatafileTables.SMALL, key)
                .orElseThrow()
                .clone();
        bytes[i] ^= 1;
        ofIoServer(flipped.owner()).put(DatafileTables.SMALL, key, bytes);

        Handle twice = of(sound, 6, i).datafile();
        MetafileRow.Builder more = by.row().toBuilder();
        more.getLayoutBuilder().setDatafiles(1, twice.value());
        shards.rows(1).put(ShardTables.INODE, key(by.metafile()), typed(more.build()));
        shards.rows(1).put(ShardTables.DATAFILE, key(twice), listed(by.metafile(), 1));
    }

    private void index(int i, List<Sound> sound) {
        Handle stray = Handle.of(1 + i % 2, 0xfe, 1 + i);
        shards.rows(0)
                .put(ShardTables.DATAFILE, key(stray), listed(Handle.of(Handle.FIRST_SHARD_OWNER, 0, 1L << 30), 0));

        shards.rows(0).delete(ShardTables.DATAFILE, key(of(sound, 8, i).datafile()));
    }

    private void namesOfFiles(int i, List<Sound> sound) {
        forget(of(sound, 9, i).metafile());

        Handle twice = of(sound, 10, i).metafile();
        Handle directory = name(twice).directory();
        shards.replay(directory, DirentSet.file(fitting(directory, "again-" + i), twice));
        shards.count(directory, 1);

        Handle file = of(sound, 11, i).metafile();
        shards.replay(name(file).directory(), DirentSet.directory(name(file), file));

        DirentKey ofFile = name(of(sound, 12, i).metafile());
        if (i % 2 == 1 && !ofFile.directory().equals(seen.get(ofFile.directory()))) {
            inAnotherPartition(ofFile);
        } else {
            ofAnotherHash(i == 0 ? link(directory) : ofFile);
        }

        Handle nowhere = Handle.of(Handle.shardOwner(i % shards.count()), 0, (1L << 30) + i);
        shards.replay(directory, DirentSet.file(fitting(directory, "dangling-" + i), nowhere));
        shards.count(directory, 1);
    }

    /** A name that begins so, and has a hash of the partition. */
    private DirentKey fitting(Handle partition, String name) {
        return IntStream.range(0, 10_000)
                .mapToObj(i -> DirentKey.of(partition, name + "-" + i))
                .filter(key -> isIn(partition, key))
                .findFirst()
                .orElseThrow();
    }

    private boolean isIn(Handle partition, DirentKey key) {
        List<MapEntry> entries = Maps.entries(shards.rows(partition), shards.whole(partition));
        return entries.isEmpty()
                || entries.stream()
                        .anyMatch(each -> each.handle().equals(partition)
                                && each.partition().has(key.hash()));
    }

    private void inAnotherPartition(DirentKey name) {
        Overlay rows = shards.rows(name.directory());
        Handle other = Maps.entries(rows, shards.whole(name.directory())).stream()
                .map(MapEntry::handle)
                .filter(each -> each.shard() == name.directory().shard() && !each.equals(name.directory()))
                .findFirst()
                .orElseThrow();
        shards.replay(
                other, new DirentSet(name.in(other), Dirents.find(rows, name).orElseThrow()));
        shards.replay(other, new DirentGone(name));
        shards.count(name.directory(), -1);
        shards.count(other, 1);
    }

    private void ofAnotherHash(DirentKey misplaced) {
        Overlay rows = shards.rows(misplaced.directory());
        byte[] value = Dirents.find(rows, misplaced).orElseThrow().toByteArray();
        shards.replay(misplaced.directory(), new DirentGone(misplaced));
        byte[] text = misplaced.name().getBytes(StandardCharsets.UTF_8);
        byte[] key = ByteBuffer.allocate(16 + text.length)
                .putLong(misplaced.directory().value())
                .putLong(misplaced.hash() + 1)
                .put(text)
                .array();
        rows.put(ShardTables.DIRENT, key, value);
    }

    /** The name of a symbolic link, which has no row beside it. */
    private DirentKey link(Handle directory) {
        DirentKey name = fitting(directory, "link");
        SymlinkRow row = SymlinkRow.newBuilder().setTarget("nowhere").build();
        shards.replay(directory, DirentSet.symlink(name, Handle.of(Handle.shardOwner(0), 0, 1L << 31), row));
        shards.count(directory, 1);
        return name;
    }

    private void directories(int i) {
        Handle child = directoryOf(FindingKind.WRONG_PARENT, i);
        shards.replay(
                child,
                new DirectorySet(
                        child,
                        Directories.find(shards.rows(child), child).orElseThrow().toBuilder()
                                .setParent(Handle.ROOT.value())
                                .build()));

        if (i > 0) {
            forget(directoryOf(FindingKind.UNREACHABLE_DIRECTORY, i));
        }

        Handle unpartitioned = directoryOf(FindingKind.UNPARTITIONED_DIRECTORY, i);
        shards.replay(unpartitioned, new CountsGone(unpartitioned));

        Handle gone = directoryOf(FindingKind.UNREACHABLE_PARTITION, i);
        forget(gone);
        shards.replay(gone, new DirectoryGone(gone));

        shards.count(directoryOf(FindingKind.WRONG_COUNTER, i), 5);
    }

    private void maps(int i) {
        Handle damaged = directoryOf(FindingKind.DAMAGED_MAP, i);
        MapEntry lost = partition(damaged, i);
        if (i % 5 == 4) {
            DirectoryRow row = Directories.find(shards.rows(damaged), damaged).orElseThrow();
            Giving giving = Giving.newBuilder().setNumber(1).setDepth(9).build();
            shards.replay(
                    damaged,
                    new DirectorySet(damaged, row.toBuilder().setGiving(giving).build()));
        } else if (i % 2 == 0) {
            shards.replay(damaged, new MapEntryGone(damaged, lost.number()));
            shards.lose(damaged, lost);
        } else {
            Handle nowhere = Handle.of(Handle.shardOwner(1 - damaged.shard()), 0, (1L << 30) + i);
            new MapEntrySet(damaged, new MapEntry(new Partition(0, 1, nowhere), false)).replay(shards.rows(nowhere));
        }

        unknownPartition(i);

        Handle directory = directoryOf(FindingKind.UNMAPPED_PARTITION, i);
        MapEntry entry = partition(directory, 2);
        Handle partition = entry.handle();
        if (i % 2 == 0) {
            shards.replay(partition, new MapEntryGone(directory, entry.number()));
        } else {
            Partition wider = new Partition(entry.number(), entry.partition().depth() + 1, partition);
            shards.replay(partition, new MapEntrySet(directory, new MapEntry(wider, false)));
        }
    }

    /** Another directory says that it is a partition that the map has already. */
    private void unknownPartition(int i) {
        Handle directory = directoryOf(FindingKind.LOST_PARTITION, i);
        MapEntry known = partition(directory, i);
        Handle other = Handle.of(known.handle().owner(), 0, (1L << 29) + i);
        shards.replay(
                other,
                new DirectorySet(
                        other,
                        Directories.find(shards.rows(other), known.handle()).orElseThrow()));
        shards.replay(other, new CountsSet(other, DirectoryCounts.first(1)));
    }

    /** An entry is lost, here or at another shard, and its partition is not; or the reverse. */
    private void entries(int i) {
        Handle directory = directoryOf(FindingKind.DAMAGED_MAP, i);
        if (i % 2 == 0) {
            MapEntry lost = i % 4 == 0 ? partition(directory, i) : ownPartition(directory);
            shards.replay(directory, new MapEntryGone(directory, lost.number()));
            planted.merge(FindingKind.LOST_PARTITION, 1, Integer::sum);
            planted.merge(FindingKind.DAMAGED_MAP, 1, Integer::sum);
            healed++;
        } else {
            shards.lose(directory, partition(directory, i));
            planted.merge(FindingKind.DAMAGED_MAP, 1, Integer::sum);
        }
    }

    /** Findings that the repair of others mends, too. */
    int healed() {
        return healed;
    }

    /** A partition on the directory's own shard. */
    private MapEntry ownPartition(Handle directory) {
        return Maps.entries(shards.rows(directory), directory).stream()
                .filter(each -> each.handle().shard() == directory.shard()
                        && !each.handle().equals(directory))
                .findFirst()
                .orElseThrow();
    }

    /** A partition of the directory on the other shard. */
    private MapEntry partition(Handle directory, int i) {
        List<MapEntry> elsewhere = Maps.entries(shards.rows(directory), directory).stream()
                .filter(each -> each.handle().shard() != directory.shard())
                .toList();
        return elsewhere.get(i % elsewhere.size());
    }

    /** Two directories, each below the other: one finding. */
    private void ring() {
        Handle first = directoryOf(FindingKind.UNREACHABLE_DIRECTORY, 0);
        Handle second = directoryOf(FindingKind.UNREACHABLE_DIRECTORY, each);
        forget(first);
        forget(second);
        below(first, second);
        below(second, first);
    }

    private void below(Handle parent, Handle child) {
        shards.replay(parent, DirentSet.directory(DirentKey.of(parent, "below"), child));
        shards.count(parent, 1);
        shards.replay(
                child,
                new DirectorySet(
                        child,
                        Directories.find(shards.rows(child), child).orElseThrow().toBuilder()
                                .setParent(parent.value())
                                .build()));
    }

    private void pending(int i) {
        Handle first = Handle.of(Handle.shardOwner(i % shards.count()), 0, 1);
        shards.replay(
                first, new DatafilesQueued(Handle.of(first.owner(), 0, 1L << 30), List.of(Handle.of(77, 0, 1 + i))));

        switch (i % 3) {
            case 0 -> held(i);
            case 1 -> {
                long number = Intents.next(shards.rows(first));
                shards.replay(first, new IntentsSkipped(number + 1));
                shards.replay(
                        first,
                        new IntentDecided(
                                number,
                                IntentRow.newBuilder()
                                        .setState(IntentRow.State.DECIDED)
                                        .addSlots(IntentRow.Slot.newBuilder().setShard(200))
                                        .build()));
            }
            default ->
                shards.replay(
                        first,
                        new NoticeQueued(
                                new Notice(Notice.Kind.UNLINKED_FILE, Handle.of(Handle.shardOwner(100 + i), 0, 7))));
        }
    }

    /** A name is held for an operation of the other shard, which does not know it. */
    private void held(int i) {
        DirentKey key = name(directoryOf(FindingKind.STALE_INTENT, i));
        Handle directory = key.directory();
        // Far apart: a repair has the coordinator begin behind the number, while others are still held.
        SlotId slot = new SlotId(1 - directory.shard(), (1L << 40) + ((long) i << 20), 0);
        hold(key, slot, shards.rows(directory));
    }

    /** Prepares a slot that holds the name for an operation of another shard. */
    static void hold(DirentKey key, SlotId slot, Overlay rows) {
        PrepareAction action = PrepareAction.newBuilder()
                .setLockSource(LockSource.newBuilder()
                        .setDirectory(key.directory().value())
                        .setName(key.name()))
                .build();
        new SlotPrepared(
                        slot,
                        PreparedRow.newBuilder()
                                .setAction(action.toByteString())
                                .build())
                .replay(rows);
        new DirentSet(
                        key,
                        Dirents.find(rows, key).orElseThrow().toBuilder()
                                .setLock(slot.lock())
                                .build())
                .replay(rows);
    }

    private void unreadable(int i) {
        shards.rows(i % shards.count()).put(ShardTables.INODE, new byte[] {-1, -1, -1, (byte) i}, new byte[] {1});
        shards.rows(i % shards.count()).put(ShardTables.DIRENT, new byte[] {-1, -1, -1, (byte) i}, new byte[] {1});
    }

    /** The object's name goes, and is not counted any more. */
    private void forget(Handle object) {
        shards.replay(name(object).directory(), new DirentGone(name(object)));
        shards.count(name(object).directory(), -1);
    }

    private Handle directoryOf(FindingKind kind, int number) {
        Handle at = Handle.ROOT;
        for (String name : directory(kind, number).substring(1).split("/", -1)) {
            Handle above = at;
            at = names.entrySet().stream()
                    .filter(entry -> entry.getValue().name().equals(name)
                            && above.equals(seen.get(entry.getValue().directory())))
                    .map(Map.Entry::getKey)
                    .findAny()
                    .orElseThrow(() ->
                            new AssertionError(String.format(Locale.ROOT, "no directory %s", directory(kind, number))));
        }
        return at;
    }

    private DirentKey name(Handle object) {
        return Objects.requireNonNull(names.get(object));
    }

    private Overlay ofIoServer(int id) {
        return Objects.requireNonNull(ioRows.get(id));
    }

    private static byte[] listed(Handle metafile, int index) {
        return ByteBuffer.allocate(12).putLong(metafile.value()).putInt(index).array();
    }

    private List<Sound> sound(Overlay shard) throws IOException {
        List<Sound> sound = new ArrayList<>();
        try (ReadView.Cursor cursor = shard.scan(ShardTables.INODE, new byte[0], end())) {
            while (cursor.next()) {
                if (cursor.value()[0] == 1) {
                    MetafileRow row =
                            MetafileRow.parseFrom(Arrays.copyOfRange(cursor.value(), 1, cursor.value().length));
                    if (row.getLength() == 100 && row.getWriterSession() == 0) {
                        sound.add(new Sound(
                                new Handle(ByteBuffer.wrap(cursor.key()).getLong()), row));
                    }
                }
            }
        }
        return sound;
    }

    private static byte[] end() {
        byte[] end = new byte[10];
        Arrays.fill(end, (byte) -1);
        return end;
    }

    private static byte[] key(Handle handle) {
        return ByteBuffer.allocate(Long.BYTES).putLong(handle.value()).array();
    }

    private static byte[] typed(MetafileRow row) {
        byte[] bytes = row.toByteArray();
        return ByteBuffer.allocate(1 + bytes.length).put((byte) 1).put(bytes).array();
    }

    private void put(Handle datafile, byte[] row) {
        ofIoServer(datafile.owner()).put(DatafileTables.DATAFILE, DatafileTables.key(datafile), row);
    }

    private byte[] datafileRow(Handle datafile) {
        Table table = DatafileTables.DATAFILE;
        return Objects.requireNonNull(ioServers.get(datafile.owner()))
                .committed()
                .get(table, DatafileTables.key(datafile))
                .orElseThrow();
    }

    @Override
    public void close() {
        shards.close();
        ioRows.values().forEach(Overlay::close);
        ioServers.values().forEach(Store::close);
    }
}
