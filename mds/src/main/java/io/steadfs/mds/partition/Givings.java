package io.steadfs.mds.partition;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Prefixes;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads which directories and partitions of this shard give names to other shards. */
public final class Givings {
    private static final byte[] END = Prefixes.endOfAll();

    private Givings() {}

    public static Optional<GivingRow> find(ReadView view, Handle directory) {
        return view.get(ShardTables.GIVING, Keys.of(directory.value())).map(value -> decode(directory, value));
    }

    /** As {@link #find}, but empty if the row cannot be decoded. */
    public static Optional<GivingRow> readable(ReadView view, Handle directory) {
        try {
            return find(view, directory);
        } catch (IllegalStateException e) {
            return Optional.empty();
        }
    }

    /** Whether the directory gives names, even if its row cannot be decoded. */
    public static boolean isThere(ReadView view, Handle directory) {
        return view.get(ShardTables.GIVING, Keys.of(directory.value())).isPresent();
    }

    /** All directories and partitions that give names. */
    public static List<Handle> all(ReadView view) {
        List<Handle> all = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(ShardTables.GIVING, new byte[0], END)) {
            while (cursor.next()) {
                all.add(new Handle(Keys.longAt(cursor.key(), 0)));
            }
        }
        return all;
    }

    private static GivingRow decode(Handle directory, byte[] value) {
        try {
            return GivingRow.parseFrom(value);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("what directory " + directory + " gives cannot be decoded", e);
        }
    }
}
