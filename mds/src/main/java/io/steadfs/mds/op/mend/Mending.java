package io.steadfs.mds.op.mend;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.MendRequest;
import java.util.List;

/**
 * One repair of one finding of a check. The repair first looks whether the finding is still true. A repair has no side
 * effects: it only makes records.
 */
interface Mending {
    /**
     * The result of a repair.
     *
     * @param removed the bytes of an unreadable row that the repair removed or only looked at; otherwise empty
     */
    record Mended(List<LogRecord> records, ByteString removed) {
        public Mended {
            records = List.copyOf(records);
        }

        static Mended of(List<LogRecord> records) {
            return new Mended(records, ByteString.EMPTY);
        }
    }

    /** @throws Refused STALE_VERSION if the finding is no longer true; BUSY if an operation is using the object */
    Mended mend(Context context) throws Refused;

    static Mending of(MendRequest request) throws Refused {
        return switch (request.getActionCase()) {
            case INDEX -> new IndexMending(request.getIndex());
            case COLUMN -> new ColumnMending(request.getColumn());
            case NAME -> new NameMending(request.getName());
            case NEW_NAME -> new NamelessMending(request.getNewName());
            case DIRECTORY -> new DirectoryMending(request.getDirectory());
            case PARENT -> new ParentMending(request.getParent());
            case LEAK -> new LeakMending(request.getLeak());
            case ROW -> new RowMending(request.getRow());
            case COUNTS -> new CountsMending(request.getCounts());
            case PENDING -> new PendingMending(request.getPending());
            case SKIP -> new SkipMending(request.getSkip());
            case MAP -> new MapMending(new Handle(request.getMap().getDirectory()));
            case MAP_ENTRY -> new MapEntryMending(request.getMapEntry());
            case NEW_MAP_ENTRY -> new NewMapEntryMending(request.getNewMapEntry());
            case PARTITION -> new PartitionMending(request.getPartition());
            case ACTION_NOT_SET -> throw new Refused(FsError.INVALID_ARGUMENT, "a repair without an action");
        };
    }

    static Refused stale(String what) {
        return new Refused(FsError.STALE_VERSION, what + "; check again");
    }
}
