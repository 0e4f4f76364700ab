package io.steadfs.it.judge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * Values as text. What must differ between two file systems is told alike: the address in paths; times of a clock, to
 * which times that a call set do not belong; the access time of a directory, which HDFS has none of; handles and numbers
 * of inodes, which are not told. Hosts of blocks, bytes on disk and
 * quotas, of which HDFS has one at the root, are not told either. While somebody writes a file its length is not told, nor lengths of
 * summaries while anybody does: how far they lag is not promised by HDFS.
 */
final class Describe {
    /** Calls set only times before this one (2001-09-09); a later one was read from a clock. */
    private static final long CLOCK = 1_000_000_000_000L;

    private final Actor actor;

    Describe(Actor actor) {
        this.actor = actor;
    }

    String value(@Nullable Object value) throws IOException {
        if (value == null) {
            return "nothing";
        }
        if (value instanceof FileStatus status) {
            return status(status);
        }
        if (value instanceof BlockLocation block) {
            return block.getOffset() + "+" + block.getLength() + (block.isCorrupt() ? " corrupt" : "");
        }
        if (value instanceof ContentSummary summary) {
            return summary(summary);
        }
        if (value instanceof FileChecksum checksum) {
            return checksum.getAlgorithmName() + " " + HexFormat.of().formatHex(checksum.getBytes());
        }
        if (value instanceof byte[] bytes) {
            return bytes.length <= 32
                    ? "bytes " + HexFormat.of().formatHex(bytes)
                    : bytes.length + " bytes, hash " + Arrays.hashCode(bytes);
        }
        if (value instanceof Path path) {
            return local(path.toString());
        }
        if (value instanceof Object[] array) {
            return list(Arrays.asList(array), false);
        }
        if (value instanceof RemoteIterator<?> iterator) {
            List<Object> all = new ArrayList<>();
            while (iterator.hasNext()) {
                all.add(iterator.next());
            }
            return list(all, true);
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, String> told = new TreeMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                told.put(value(entry.getKey()), value(entry.getValue()));
            }
            return told.toString();
        }
        if (value instanceof Collection<?> collection) {
            return list(collection, true);
        }
        return local(value.toString());
    }

    private String local(String text) {
        return text.replace(actor.uri().toString(), "fs:").replace(actor.uri().getScheme() + ":", "fs:");
    }

    /** @param sorted where the file system may choose the order */
    private String list(Collection<?> values, boolean sorted) throws IOException {
        List<String> told = new ArrayList<>();
        for (Object value : values) {
            told.add(value(value));
        }
        if (sorted) {
            Collections.sort(told);
        }
        return told.toString();
    }

    private String status(FileStatus status) throws IOException {
        String common = local(status.getPath().toString()) + " " + status.getPermission() + " " + status.getOwner()
                + ":" + status.getGroup() + " modified " + time(status.getModificationTime());
        String flags = (status.isEncrypted() ? " encrypted" : "")
                + (status.hasAcl() ? " acl" : "")
                + (status.isErasureCoded() ? " ec" : "")
                + (status.isSymlink() ? " link" : "");
        if (status.isDirectory()) {
            return "directory " + common + " length " + status.getLen() + " block " + status.getBlockSize() + " copies "
                    + status.getReplication() + flags;
        }
        return "file " + common + " accessed " + time(status.getAccessTime()) + " block " + status.getBlockSize()
                + " copies " + status.getReplication() + " length " + length(status) + flags;
    }

    private String length(FileStatus status) throws IOException {
        if (actor.hasWriters() && !actor.leases().isFileClosed(status.getPath())) {
            return "of an open file";
        }
        return String.valueOf(status.getLen());
    }

    private static String time(long millis) {
        return millis >= CLOCK ? "by clock" : String.valueOf(millis);
    }

    private String summary(ContentSummary summary) {
        String lengths = actor.hasWriters() ? "" : summary.getLength() + " bytes, ";
        return lengths + summary.getFileCount() + " files, " + summary.getDirectoryCount() + " directories, "
                + summary.getErasureCodingPolicy();
    }
}
