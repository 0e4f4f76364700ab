package io.steadfs.mds.fuzz;

import com.google.protobuf.MessageLite;
import io.steadfs.fuzz.Bits;
import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.fuzz.Messages;
import io.steadfs.fuzz.Words;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.deletion.QueuedDatafile;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.session.Leg;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.RecordedReplies;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.mds.session.proto.RecordedReply;
import io.steadfs.mds.session.proto.SessionRow;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.wire.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Rows of a metadata shard's store that hold anything, met by every reader of every table. A reader answers or throws an
 * exception, by which the request alone fails: no Error, no endless scan, no memory beyond what the row is worth.
 *
 * <pre>
 *  0             1
 * +-------------+-----+-------+
 * | key length  | key | value |
 * +-------------+-----+-------+
 * </pre>
 *
 * Whatever a reader looks for, it finds this value; whatever it scans has this row and nothing else.
 */
final class ShardRowsTarget implements FuzzTarget {
    private static final List<MessageLite> ROWS = List.of(
            MetafileRow.getDefaultInstance(),
            DirectoryRow.getDefaultInstance(),
            DirentRow.getDefaultInstance(),
            CountsRow.getDefaultInstance(),
            SessionRow.getDefaultInstance(),
            RecordedReply.getDefaultInstance(),
            IntentRow.getDefaultInstance(),
            PreparedRow.getDefaultInstance(),
            LockRow.getDefaultInstance());

    private final Messages messages = new Messages(new Words(
            List.of(Handle.ROOT.value(), Handle.of(1, 0, 1).value(), 1L, 2L, (long) Kind.STAT.number()),
            List.of("a", "b")));

    @Override
    public String name() {
        return "mds-rows";
    }

    /** All readers together. */
    @Override
    public long mostAllocatedBytes(int inputBytes) {
        return (256 << 10) + 800L * inputBytes;
    }

    @Override
    public long inputsOfABuild() {
        return 5_000;
    }

    @Override
    public byte[] input(RandomGenerator random) {
        byte[] value = messages.bytes(random, ROWS.get(random.nextInt(ROWS.size())));
        if (random.nextInt(3) == 0) {
            value = Bits.join(new byte[] {(byte) random.nextInt(3)}, value);
        }
        byte[] key = new byte[random.nextInt(4) == 0 ? random.nextInt(60) : 8 * random.nextInt(6) + random.nextInt(2)];
        random.nextBytes(key);
        if (key.length > 0 && random.nextBoolean()) {
            key[0] = (byte) random.nextInt(8);
        }
        return Bits.join(new byte[] {(byte) key.length}, key, value);
    }

    @Override
    public Trial begin() {
        return input -> {
            int keyEnd = input.length == 0 ? 0 : 1 + Math.min(input[0] & 0xff, input.length - 1);
            byte[] key = Arrays.copyOfRange(input, Math.min(1, input.length), keyEnd);
            OneRow view = new OneRow(key, Arrays.copyOfRange(input, keyEnd, input.length));
            for (Reader reader : READERS) {
                try {
                    reader.read(view);
                } catch (RuntimeException refused) {
                    // A decision or look that meets it is answered FAULT and does nothing.
                }
            }
        };
    }

    private interface Reader {
        void read(ReadView view);
    }

    private static final List<Reader> READERS = List.of(
            view -> Metafiles.find(view, Handle.ROOT),
            view -> Directories.find(view, Handle.ROOT),
            view -> Dirents.find(view, DirentKey.of(Handle.ROOT, "a")),
            ShardRowsTarget::dirents,
            view -> DirectoryCounts.find(view, Handle.ROOT),
            view -> Sessions.find(view, 1),
            view -> Sessions.after(view, 0, 10),
            view -> RecordedReplies.find(view, 1, new Leg(1, 0, 0), Kind.STAT),
            view -> RecordedReplies.legs(view, 1, 0, 10, 10),
            view -> OpenFiles.of(view, 1, 10),
            view -> RecoveringFiles.after(view, Handle.NONE, 10),
            view -> UnlinkedFiles.from(view, 0, 10),
            view -> Intents.find(view, 1),
            view -> Intents.numbers(view, 0, 10),
            Intents::next,
            view -> PreparedSlots.find(view, new SlotId(1, 1, 0)),
            view -> PreparedSlots.all(view, 10),
            PreparedSlots::admittedMoves,
            DeletionQueue::servers,
            view -> DeletionQueue.trees(view, Handle.NONE, 10),
            view -> DeletionQueue.datafiles(view, 1, QueuedDatafile.NONE, 10));

    private static void dirents(ReadView view) {
        try (DirentScan scan = Dirents.scan(view, Handle.ROOT)) {
            while (scan.next()) {
                scan.row();
                scan.name();
            }
        }
    }

    /** One row, in every table. */
    @SuppressWarnings("ArrayRecordComponent")
    private record OneRow(byte[] key, byte[] value) implements ReadView {
        private static final int MOST_SCANS = 1000;

        @Override
        public Optional<byte[]> get(Table table, byte[] wanted) {
            if (!ShardTables.ALL.contains(table)) {
                throw new AssertionError("no table " + table);
            }
            return Optional.of(value.clone());
        }

        @Override
        public Cursor scan(Table table, byte[] from, byte[] to) {
            boolean within = Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, to) < 0;
            return new Cursor() {
                private int left = within ? 1 : 0;
                private int steps;

                @Override
                public boolean next() {
                    if (++steps > MOST_SCANS) {
                        throw new AssertionError("a scan does not end");
                    }
                    return left-- > 0;
                }

                @Override
                public byte[] key() {
                    return key.clone();
                }

                @Override
                public byte[] value() {
                    return value.clone();
                }

                @Override
                public void close() {}
            };
        }
    }
}
