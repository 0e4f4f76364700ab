package io.steadfs.mds.partition;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.Optional;

/** Reads what directories of this shard count: their entries and changes, and when the last one was. */
public final class DirectoryCounts {
    private DirectoryCounts() {}

    /** The row of an empty directory. */
    public static CountsRow first(long modificationTime) {
        return CountsRow.newBuilder().setModificationTime(modificationTime).build();
    }

    public static Optional<CountsRow> find(ReadView view, Handle directory) {
        return view.get(ShardTables.PARTITION, PartitionKey.of(directory, 0)).map(value -> decode(directory, value));
    }

    static CountsRow decode(Handle directory, byte[] value) {
        try {
            return CountsRow.parseFrom(value);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("what directory " + directory + " counts cannot be decoded", e);
        }
    }
}
