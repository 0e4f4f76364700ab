package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.FindingRow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A defect that a check found. The defect existed at some moment during the check. Two findings of the same kind about
 * the same row count as one finding.
 *
 * @param server the server or shard that has the row, such as "shard 0" or "io-1"
 * @param object the datafile, metafile or directory that is wrong. The value is {@link Handle#NONE} if there is none
 * @param other for a datafile, its metafile; for a name, its directory; otherwise {@link Handle#NONE}
 * @param table the table of the row, or of the rows that cannot be read
 * @param key the key of the row, or the first key of unreadable rows; empty if the other fields identify the finding
 * @param until for unreadable rows, the end of the range of keys, exclusive; empty = the end of the table
 * @param column for a datafile, its index in the metafile's layout; otherwise 0
 * @param length for a datafile, the number of its bytes; otherwise 0
 * @param expected a value that must still be the same at the repair. For a datafile, the value is the version of its
 *     metafile. For a directory, the value is the parent in its row. For all other findings, the value is 0
 * @param what a description in words
 */
public record Finding(
        FindingKind kind,
        String server,
        Handle object,
        Handle other,
        RowTable table,
        ByteString key,
        ByteString until,
        int column,
        long length,
        long expected,
        String what) {
    private static final String SHARD = "shard ";
    private static final String IO_SERVER = "io-";

    Finding(FindingKind kind, String server, Handle object, Handle other, ByteString key, String what) {
        this(kind, server, object, other, RowTable.NONE, key, ByteString.EMPTY, 0, 0, 0, what);
    }

    static Finding of(FindingKind kind, String server, Handle object, Handle other, String what) {
        return new Finding(kind, server, object, other, ByteString.EMPTY, what);
    }

    Finding ofColumn(int index, long bytes, long version) {
        return new Finding(kind, server, object, other, table, key, until, index, bytes, version, what);
    }

    /** Returns a copy of this finding, but with the given table. */
    Finding in(RowTable rows) {
        return new Finding(kind, server, object, other, rows, key, until, column, length, expected, what);
    }

    Finding until(ByteString end) {
        return new Finding(kind, server, object, other, table, key, end, column, length, expected, what);
    }

    Finding expecting(Handle parent) {
        return new Finding(kind, server, object, other, table, key, until, column, length, parent.value(), what);
    }

    static String shard(int number) {
        return SHARD + number;
    }

    static String ioServer(int id) {
        return IO_SERVER + id;
    }

    /** The number of the shard that has the row. */
    int shard() {
        if (!server.startsWith(SHARD)) {
            throw new IllegalStateException(kind.label() + " at " + server + " is not at a shard");
        }
        return Integer.parseInt(server, SHARD.length(), server.length(), 10);
    }

    /** The id of the IO server that has the row. */
    int ioServer() {
        if (!server.startsWith(IO_SERVER)) {
            throw new IllegalStateException(kind.label() + " at " + server + " is not at an IO server");
        }
        return Integer.parseInt(server, IO_SERVER.length(), server.length(), 10);
    }

    /** The key in the form that {@link WorkTables} describes. */
    byte[] encodedKey() {
        byte[] label = kind.label().getBytes(StandardCharsets.UTF_8);
        byte[] place = server.getBytes(StandardCharsets.UTF_8);
        byte[] rows = table.label().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(label.length + place.length + rows.length + 3 + 2 * Long.BYTES + key.size())
                .put(label)
                .put((byte) 0)
                .put(place)
                .put((byte) 0)
                .putLong(object.value())
                .putLong(other.value())
                .put(rows)
                .put((byte) 0)
                .put(key.asReadOnlyByteBuffer())
                .array();
    }

    FindingRow row() {
        return FindingRow.newBuilder()
                .setKind(kind.label())
                .setServer(server)
                .setObject(object.value())
                .setOther(other.value())
                .setKey(key)
                .setWhat(what)
                .setColumn(column)
                .setLength(length)
                .setExpected(expected)
                .setTable(table.label())
                .setUntil(until)
                .build();
    }

    static Finding of(byte[] value) {
        try {
            return of(FindingRow.parseFrom(value));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("a finding of " + value.length + " bytes cannot be read", e);
        }
    }

    static Finding of(FindingRow row) {
        FindingKind kind = FindingKind.of(row.getKind())
                .orElseThrow(() -> new IllegalStateException(
                        "a finding of kind '" + row.getKind() + "', which this release does not know"));
        return new Finding(
                kind,
                row.getServer(),
                new Handle(row.getObject()),
                new Handle(row.getOther()),
                RowTable.of(row.getTable()),
                row.getKey(),
                row.getUntil(),
                row.getColumn(),
                row.getLength(),
                row.getExpected(),
                row.getWhat());
    }
}
