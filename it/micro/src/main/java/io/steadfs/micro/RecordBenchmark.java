package io.steadfs.micro;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.store.WriteView;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How long does it take to turn records into rows, and rows into values? {@code bin/stead bench micro --only Record} */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecordBenchmark {
    private static final String NAME = "part-00017-c000.snappy.parquet";

    private final Handle directory = Handle.of(Handle.shardOwner(0), 0, 7);
    private final Handle file = Handle.of(Handle.shardOwner(0), 0, 4711);
    private final LastRow written = new LastRow();
    private final MetafileSet metafile = new MetafileSet(file, Rows.metafile());
    private final DirentSet dirent = DirentSet.file(DirentKey.of(directory, NAME), file);
    private byte[] row = new byte[0];

    @Setup
    public void encodeOnce() {
        metafile.replay(written);
        row = written.value;
    }

    @Benchmark
    public byte[] encodeMetafile() {
        metafile.replay(written);
        return written.value;
    }

    @Benchmark
    public Object decodeMetafile() {
        return Metafiles.find(new OneRow(row), file).orElseThrow();
    }

    /** With the hash of the name. */
    @Benchmark
    public DirentKey keyOfDirent() {
        return DirentKey.of(directory, NAME);
    }

    @Benchmark
    public byte[] encodeDirent() {
        dirent.replay(written);
        return written.value;
    }

    /** Takes rows to keep them from being optimised away. */
    private static final class LastRow implements WriteView {
        private byte[] value = new byte[0];

        @Override
        public void put(Table table, byte[] key, byte[] row) {
            value = row;
        }

        @Override
        public void delete(Table table, byte[] key) {
            throw new IllegalStateException("nothing is deleted here");
        }
    }

    /** Has the same row under every key of the inode table. */
    private static final class OneRow implements ReadView {
        private final byte[] row;

        OneRow(byte[] row) {
            this.row = row;
        }

        @Override
        public Optional<byte[]> get(Table table, byte[] key) {
            return table.equals(ShardTables.INODE) ? Optional.of(row) : Optional.empty();
        }

        @Override
        public Cursor scan(Table table, byte[] from, byte[] to) {
            throw new IllegalStateException("nothing is scanned here");
        }
    }
}
