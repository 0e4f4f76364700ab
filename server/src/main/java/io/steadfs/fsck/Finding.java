package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.FindingRow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Something that is wrong, and was so at one moment at least while the check looked at it. Two findings of the same kind about the same row
 * count as one.
 *
 * @param server where the row is: "shard 0", "io-1"
 * @param object datafile, metafile or directory that the finding is about; {@link Handle#NONE} where there is none
 * @param other for a datafile, its metafile; for a name, its directory; {@link Handle#NONE} where there is none
 * @param table of the row; for rows that cannot be read, their table
 * @param key of the row, if it is needed to tell findings apart; for rows that cannot be read, the key of the first one
 * @param until for rows that cannot be read, the key behind the last one: empty = to the end of the table
 * @param column for a datafile, its index in the metafile's layout; else 0
 * @param length for a datafile, the bytes that it has; else 0
 * @param expected what must still hold when the finding is repaired: the version of the metafile that lists a datafile, or the parent in a
 *     directory's row; else 0
 * @param what in words
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

    /** The same finding, with its row in this table. */
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

    /** Number of the shard where the row is. */
    int shard() {
        if (!server.startsWith(SHARD)) {
            throw new IllegalStateException(kind.label() + " at " + server + " is not at a shard");
        }
        return Integer.parseInt(server, SHARD.length(), server.length(), 10);
    }

    /** Number of the IO server where the row is. */
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
