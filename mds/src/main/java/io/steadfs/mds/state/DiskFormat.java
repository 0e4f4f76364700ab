package io.steadfs.mds.state;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import io.steadfs.store.WriteView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The version of the tables and keys of a shard's store, as drawn in {@link ShardTables}. Kept in the row "format", version 8. */
public final class DiskFormat {
    public static final long VERSION = 4;

    private static final byte[] KEY = "format".getBytes(StandardCharsets.US_ASCII);

    private DiskFormat() {}

    /** The version; empty in a store that no shard has used yet. */
    public static Optional<Long> of(ReadView view) {
        return view.get(ShardTables.META, KEY).map(value -> Keys.longAt(value, 0));
    }

    /** @throws IOException if this release does not know the version of the store */
    public static void check(ReadView view, String where) throws IOException {
        long version = of(view).orElse(VERSION);
        if (version != VERSION) {
            throw new IOException(where + " has disk format " + version + "; this release knows " + VERSION
                    + " alone: format a new file system");
        }
    }

    /** The store has this version from now on. */
    public record Written(long version) implements LogRecord {
        @Override
        public void replay(WriteView view) {
            view.put(ShardTables.META, KEY, Keys.of(version));
        }
    }
}
