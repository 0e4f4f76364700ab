package io.steadfs.client.list;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.layout.Striping;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.FileType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Decodes the packed entries of a page ({@code ListReply.packed}) straight into values of the client. For long
 * listings, two or three protobuf messages for each entry would cost more than all other work.
 *
 * <p>If an entry's handle, length or layout is unexpected, or the entry is a symbolic link, this class parses the entry
 * as a protobuf message instead. Consecutive entries with the same owner or group share one string for its name.
 */
final class PackedEntries {
    /**
     * Largest number of entries in a page. Servers put far fewer entries into a page. Without this limit, a small reply
     * with many empty entries would become very many objects.
     */
    private static final int MOST_ENTRIES = 1 << 16;

    private static final int FIXED64 = WireFormat.WIRETYPE_FIXED64;
    private static final int BYTES = WireFormat.WIRETYPE_LENGTH_DELIMITED;

    private final byte[] bytes;
    private final CodedInputStream in;
    private final Word owner = new Word();
    private final Word group = new Word();
    private Striping striping = new Striping(1, 1);

    // Fields of the entry that the decoder is reading.
    private String name = "";
    private long handle;
    private int type;
    private int mode;
    private long length;
    private long flushedLength;
    private long modificationTime;
    private long accessTime;
    private long blockSize;
    private int replication;
    private boolean open;
    private long writeGeneration;
    private long version;
    private Optional<Layout> layout = Optional.empty();
    /** Whether the entry's layout has fields or values that SteadFS servers never send. */
    private boolean strange;

    /** Decodes a string that is usually the same as in the entry before, for example an owner. */
    private final class Word {
        private String text = "";
        private String last = "";
        private int lastAt;
        private int lastLength;

        void read() throws IOException {
            int size = in.readRawVarint32();
            int begin = in.getTotalBytesRead();
            in.skipRawBytes(size);
            if (!Arrays.equals(bytes, begin, begin + size, bytes, lastAt, lastAt + lastLength)) {
                last = new String(bytes, begin, size, StandardCharsets.UTF_8);
                lastAt = begin;
                lastLength = size;
            }
            text = last;
        }

        void clear() {
            text = "";
        }
    }

    private PackedEntries(ByteString packed) {
        this.bytes = packed.toByteArray();
        this.in = CodedInputStream.newInstance(bytes);
    }

    /** @throws FsException with FAULT if the bytes cannot be decoded as entries */
    static List<Entry> decode(ByteString packed) throws FsException {
        try {
            return new PackedEntries(packed).all();
        } catch (IOException | IllegalArgumentException e) {
            throw new FsException(FsError.FAULT, "the answer makes no sense: a page that cannot be read: " + e, e);
        }
    }

    private void skip(int tag) throws IOException {
        if (!in.skipField(tag)) {
            throw new IOException("tag " + tag + " ends a group that was not begun");
        }
    }

    private List<Entry> all() throws IOException {
        List<Entry> entries = new ArrayList<>();
        while (!in.isAtEnd()) {
            if (entries.size() == MOST_ENTRIES) {
                throw new IOException("more than " + MOST_ENTRIES + " entries");
            }
            int size = in.readRawVarint32();
            int begin = in.getTotalBytesRead();
            int outer = in.pushLimit(size);
            entry();
            in.checkLastTagWas(0);
            in.popLimit(outer);
            entries.add(isAsEver() ? new Entry(name, info()) : theLongWay(begin, size));
        }
        return entries;
    }

    private Entry theLongWay(int begin, int size) throws IOException {
        return Answers.entry(io.steadfs.wire.proto.Entry.parser().parseFrom(bytes, begin, size));
    }

    private boolean isAsEver() {
        return !strange
                && type != FileType.SYMLINK_VALUE
                && new Handle(handle).isOwnedByShard()
                && isPossible(length)
                && isPossible(flushedLength);
    }

    private static boolean isPossible(long length) {
        return length >= 0 && length <= Answers.MOST_FILE_BYTES;
    }

    private FileInfo info() {
        return new FileInfo(
                new Handle(handle),
                type == FileType.DIRECTORY_VALUE,
                mode,
                owner.text,
                group.text,
                Math.max(length, flushedLength),
                length,
                modificationTime,
                accessTime,
                blockSize,
                Math.max(1, replication),
                open,
                writeGeneration,
                version,
                layout,
                Optional.empty());
    }

    private void entry() throws IOException {
        clear();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag) {
                case io.steadfs.wire.proto.Entry.NAME_FIELD_NUMBER << 3 | BYTES -> name = in.readStringRequireUtf8();
                case io.steadfs.wire.proto.Entry.ATTRIBUTES_FIELD_NUMBER << 3 | BYTES -> {
                    int outer = in.pushLimit(in.readRawVarint32());
                    attributes();
                    in.popLimit(outer);
                }
                default -> skip(tag);
            }
        }
    }

    private void clear() {
        name = "";
        handle = 0;
        type = 0;
        mode = 0;
        owner.clear();
        group.clear();
        length = 0;
        flushedLength = 0;
        modificationTime = 0;
        accessTime = 0;
        blockSize = 0;
        replication = 0;
        open = false;
        writeGeneration = 0;
        version = 0;
        layout = Optional.empty();
        strange = false;
    }

    private void attributes() throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag) {
                case Attributes.HANDLE_FIELD_NUMBER << 3 | FIXED64 -> handle = in.readFixed64();
                case Attributes.TYPE_FIELD_NUMBER << 3 -> type = in.readRawVarint32();
                case Attributes.MODE_FIELD_NUMBER << 3 -> mode = in.readRawVarint32();
                case Attributes.OWNER_FIELD_NUMBER << 3 | BYTES -> owner.read();
                case Attributes.GROUP_FIELD_NUMBER << 3 | BYTES -> group.read();
                case Attributes.LENGTH_FIELD_NUMBER << 3 -> length = in.readRawVarint64();
                case Attributes.FLUSHED_LENGTH_FIELD_NUMBER << 3 -> flushedLength = in.readRawVarint64();
                case Attributes.MODIFICATION_TIME_FIELD_NUMBER << 3 -> modificationTime = in.readRawVarint64();
                case Attributes.ACCESS_TIME_FIELD_NUMBER << 3 -> accessTime = in.readRawVarint64();
                case Attributes.BLOCK_SIZE_FIELD_NUMBER << 3 -> blockSize = in.readRawVarint64();
                case Attributes.OPEN_FIELD_NUMBER << 3 -> open = in.readBool();
                case Attributes.WRITE_GENERATION_FIELD_NUMBER << 3 -> writeGeneration = in.readRawVarint64();
                case Attributes.VERSION_FIELD_NUMBER << 3 -> version = in.readRawVarint64();
                case Attributes.REPLICATION_FIELD_NUMBER << 3 -> replication = in.readRawVarint32();
                case Attributes.LAYOUT_FIELD_NUMBER << 3 | BYTES -> {
                    int outer = in.pushLimit(in.readRawVarint32());
                    layout();
                    in.popLimit(outer);
                }
                default -> skip(tag);
            }
        }
    }

    private void layout() throws IOException {
        int stripSize = 0;
        int width = 0;
        int replicas = 0;
        long layoutVersion = 0;
        List<Integer> servers = List.of();
        List<Handle> datafiles = List.of();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag) {
                case io.steadfs.wire.proto.Layout.STRIP_SIZE_FIELD_NUMBER << 3 -> stripSize = in.readRawVarint32();
                case io.steadfs.wire.proto.Layout.WIDTH_FIELD_NUMBER << 3 -> width = in.readRawVarint32();
                case io.steadfs.wire.proto.Layout.REPLICAS_FIELD_NUMBER << 3 -> replicas = in.readRawVarint32();
                case io.steadfs.wire.proto.Layout.SERVERS_FIELD_NUMBER << 3 | BYTES -> servers = servers();
                case io.steadfs.wire.proto.Layout.DATAFILES_FIELD_NUMBER << 3 | BYTES -> datafiles = datafiles();
                case io.steadfs.wire.proto.Layout.VERSION_FIELD_NUMBER << 3 -> layoutVersion = in.readRawVarint64();
                default -> {
                    strange = true;
                    skip(tag);
                }
            }
        }
        long columns = (long) width * replicas;
        strange |= stripSize < 1
                || stripSize > Answers.MOST_STRIP_BYTES
                || width < 1
                || width > Layout.MOST_COLUMNS
                || replicas < 1
                || servers.size() != columns
                || datafiles.size() != columns;
        if (!strange) {
            if (striping.stripSize() != stripSize || striping.width() != width) {
                striping = new Striping(stripSize, width);
            }
            layout = Optional.of(new Layout(striping, replicas, servers, datafiles, layoutVersion));
        }
    }

    private List<Integer> servers() throws IOException {
        int outer = in.pushLimit(in.readRawVarint32());
        List<Integer> servers = List.of();
        while (!in.isAtEnd()) {
            servers = with(servers, server());
        }
        in.popLimit(outer);
        return servers;
    }

    /**
     * Adds an element to a list. A list with one element is immutable, so the layout need not copy the list. Most files
     * have one column, and so most lists have one element.
     */
    private static <T> List<T> with(List<T> list, T next) {
        if (list.isEmpty()) {
            return List.of(next);
        }
        List<T> longer = list.size() == 1 ? new ArrayList<>(list) : list;
        longer.add(next);
        return longer;
    }

    private int server() throws IOException {
        int server = in.readRawVarint32();
        strange |= server < 1 || server >= Handle.FIRST_SHARD_OWNER;
        return server;
    }

    private List<Handle> datafiles() throws IOException {
        int outer = in.pushLimit(in.readRawVarint32());
        List<Handle> datafiles = List.of();
        while (!in.isAtEnd()) {
            datafiles = with(datafiles, datafile());
        }
        in.popLimit(outer);
        return datafiles;
    }

    private Handle datafile() throws IOException {
        long value = in.readFixed64();
        if (value == Handle.NONE.value()) {
            return Handle.NONE;
        }
        Handle datafile = new Handle(value);
        strange |= !datafile.isOwnedByIoServer();
        return datafile;
    }
}
