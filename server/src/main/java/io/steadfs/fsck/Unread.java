package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.DamagedFile;
import io.steadfs.wire.proto.UnreadableRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Makes findings about rows that a server's store cannot read. A row in an unreadable range may exist. So no other
 * finding may claim that such a row is missing.
 */
final class Unread {
    private static final HexFormat HEX = HexFormat.of();

    private Unread() {}

    static Finding rows(String server, UnreadableRows rows) {
        String until = rows.getTo().isEmpty() ? "to the end" : "to before " + hex(rows.getTo());
        return new Finding(
                        FindingKind.UNREADABLE_ROWS,
                        server,
                        Handle.NONE,
                        Handle.NONE,
                        rows.getFrom(),
                        "rows of table " + rows.getTable() + " from " + hex(rows.getFrom()) + " " + until + ": "
                                + rows.getWhy())
                .in(RowTable.of(rows.getTable()))
                .until(rows.getTo());
    }

    /**
     * Makes a finding about a range of handles whose rows cannot be read.
     *
     * @param last the last handle of the range
     */
    static Finding handles(String server, RowTable table, long first, long last, String why) {
        return rows(
                server,
                UnreadableRows.newBuilder()
                        .setTable(table.label())
                        .setFrom(key(first))
                        .setTo(key(last + 1))
                        .setWhy(why)
                        .build());
    }

    static Finding file(String server, DamagedFile file) {
        return new Finding(
                        FindingKind.DAMAGED_FILE,
                        server,
                        Handle.NONE,
                        Handle.NONE,
                        ByteString.copyFrom(file.getName(), StandardCharsets.UTF_8),
                        "rows of table " + file.getTable() + " from " + hex(file.getFirst()) + " to "
                                + hex(file.getLast()) + " are in it: " + file.getWhat())
                .in(RowTable.of(file.getTable()));
    }

    private static ByteString key(long handle) {
        return ByteString.copyFrom(
                ByteBuffer.allocate(Long.BYTES).putLong(handle).array());
    }

    private static String hex(ByteString key) {
        return key.isEmpty() ? "the first" : HEX.formatHex(key.toByteArray());
    }
}
