package io.steadfs.it.model;

import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.FileReader;
import io.steadfs.error.FsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** What a file system answered, as text. */
final class Describe {
    /** Operations set only times before this one (2020-01-01); a later one was read from a clock. */
    static final long CLOCK_TIMES = 1_577_836_800_000L;

    private Describe() {}

    static String info(FileInfo info) {
        String common = Integer.toOctalString(info.mode()) + " " + info.owner() + ":" + info.group() + " modified "
                + time(info.modificationTime()) + " accessed " + time(info.accessTime());
        if (info.directory()) {
            return "directory " + common;
        }
        if (info.linkTarget().isPresent()) {
            return "link " + common + " to " + info.linkTarget().get();
        }
        return "file " + common + " length " + info.length() + " block " + info.blockSize() + " copies "
                + info.replication() + (info.open() ? " open" : "");
    }

    private static String time(long millis) {
        return millis >= CLOCK_TIMES ? "by clock" : Long.toString(millis);
    }

    /** Entries in the order of their names. */
    static String entries(Iterator<Entry> entries) {
        List<String> lines = new ArrayList<>();
        while (entries.hasNext()) {
            Entry entry = entries.next();
            lines.add("'" + entry.name() + "' " + info(entry.info()));
        }
        Collections.sort(lines);
        return lines.size() + " entries" + String.join("\n  ", lines);
    }

    static String summary(ContentSummary summary) {
        return summary.length() + " bytes in " + summary.files() + " files, " + summary.directories() + " directories, "
                + summary.space() + " stored";
    }

    static String xattrs(Map<String, byte[]> xattrs) {
        StringBuilder text = new StringBuilder().append(xattrs.size()).append(" xattrs");
        new TreeMap<>(xattrs)
                .forEach((name, value) -> text.append(' ')
                        .append(name)
                        .append('=')
                        .append(HexFormat.of().formatHex(value)));
        return text.toString();
    }

    /** Length and checksum of the whole file, read by us and, where it is closed, as the servers compute it. */
    static String content(FileReader reader) throws FsException {
        ByteBuffer bytes = ByteBuffer.allocate((int) reader.length());
        while (bytes.hasRemaining() && reader.read(bytes.position(), bytes) > 0) {
            // A read may return less than asked for.
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes.flip());
        String text = bytes.limit() + " bytes, CRC " + Long.toHexString(crc.getValue()) + " of " + reader.length();
        return reader.info().open() ? text : text + ", composite CRC " + Integer.toHexString(reader.compositeCrc());
    }

    /** What one positioned read returned. */
    static String part(FileReader reader, long position, int length) throws FsException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        int count = reader.read(position, bytes);
        CRC32C crc = new CRC32C();
        crc.update(bytes.flip());
        return "read " + count + " at " + position + ", CRC " + Long.toHexString(crc.getValue());
    }
}
