package io.steadfs.mds.op.mend;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.dirent.MetDirent;
import io.steadfs.mds.op.check.ObjectOnRecord;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.MetCounts;
import io.steadfs.mds.partition.MetMapEntry;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.state.StrayRowGone;
import io.steadfs.store.Table;
import io.steadfs.wire.proto.MendRow;
import java.util.List;

/**
 * Returns a row that cannot be read, or removes it. To remove a row, the caller must send the present bytes of the row.
 */
record RowMending(MendRow request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        byte[] key = request.getKey().toByteArray();
        Table table = table();
        byte[] value = context.view().get(table, key).orElseThrow(() -> Mending.stale("the row is not there"));
        if (isReadable(table, key, value, context)) {
            throw Mending.stale("the row of table " + table.name() + " can be read");
        }
        ByteString row = ByteString.copyFrom(value);
        if (request.getLook()) {
            return new Mended(List.of(), row);
        }
        if (!row.equals(request.getValue())) {
            throw Mending.stale("the row of table " + table.name() + " is another one now");
        }
        LogRecord gone = new StrayRowGone(table, request.getKey());
        return new Mended(List.of(gone), row);
    }

    private Table table() throws Refused {
        return switch (request.getTable()) {
            case NAMES -> ShardTables.DIRENT;
            case OBJECTS -> ShardTables.INODE;
            case PARTITIONS -> ShardTables.PARTITION;
            case INDEX -> ShardTables.DATAFILE;
            case MAPS -> ShardTables.MAP;
            default -> throw new Refused(FsError.INVALID_ARGUMENT, "unknown table of rows to remove");
        };
    }

    private static boolean isReadable(Table table, byte[] key, byte[] value, Context context) {
        if (table.equals(ShardTables.DIRENT)) {
            return MetDirent.of(key, value).unreadable().isEmpty();
        }
        if (table.equals(ShardTables.PARTITION)) {
            return MetCounts.of(key, value).unreadable().isEmpty();
        }
        if (table.equals(ShardTables.MAP)) {
            return MetMapEntry.of(key, value).unreadable().isEmpty();
        }
        if (key.length != Long.BYTES) {
            return false;
        }
        Handle handle = new Handle(Keys.longAt(key, 0));
        if (table.equals(ShardTables.DATAFILE)) {
            return ListedDatafiles.met(context.view(), handle)
                    .filter(met -> met.listed().isPresent())
                    .isPresent();
        }
        return context.owns(handle)
                && new ObjectOnRecord(context)
                        .of(handle)
                        .filter(object -> object.getUnreadable().isEmpty())
                        .isPresent();
    }
}
