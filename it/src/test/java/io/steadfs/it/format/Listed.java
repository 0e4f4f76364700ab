package io.steadfs.it.format;

import io.steadfs.client.SteadFs;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A file system as a list, a line an object, sorted by path:
 *
 * <pre>
 *  path  d  mode  owner:group  modified                                          name=value ...
 *  path  f  mode  owner:group  modified  length  block size  replication  SHA-256  name=value ...
 *  path  l  mode  owner:group  modified  target
 * </pre>
 *
 * Fields are separated by tabs. The time of a file that was open is left out, since its recovery changes it.
 */
final class Listed {
    /** How the names of the extended attributes of a fixture begin. */
    static final String XATTR = "user.fixture.";

    private static final HexFormat HEX = HexFormat.of();

    private Listed() {}

    /** @param open paths of files that are, or were, open for writing */
    static List<String> all(SteadFs fs, Set<String> open) throws IOException {
        Map<String, FileInfo> objects = new TreeMap<>();
        objects.put("/", fs.stat(FsPath.parse("/")));
        var below = fs.listTree(FsPath.parse("/"), true);
        while (below.hasNext()) {
            Entry entry = below.next();
            objects.put("/" + entry.name(), entry.info());
        }
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, FileInfo> each : objects.entrySet()) {
            lines.add(line(fs, each.getKey(), each.getValue(), open.contains(each.getKey())));
        }
        return lines;
    }

    private static String line(SteadFs fs, String path, FileInfo info, boolean isOpen) throws IOException {
        List<String> fields = new ArrayList<>(List.of(
                path,
                info.directory() ? "d" : info.linkTarget().isPresent() ? "l" : "f",
                Integer.toOctalString(info.mode()),
                info.owner() + ":" + info.group(),
                isOpen ? "-" : Long.toString(info.modificationTime())));
        if (info.linkTarget().isPresent()) {
            fields.add(info.linkTarget().get());
            return String.join("\t", fields);
        }
        if (!info.directory()) {
            byte[] bytes = bytes(fs, path);
            fields.add(Integer.toString(bytes.length));
            fields.add(Long.toString(info.blockSize()));
            fields.add(Integer.toString(info.replication()));
            fields.add(HEX.formatHex(sha256(bytes)));
        }
        new TreeMap<>(fs.getXattrs(FsPath.parse(path), List.of())).forEach((name, value) -> {
            if (name.startsWith(XATTR)) {
                fields.add(name + "=" + new String(value, StandardCharsets.UTF_8));
            }
        });
        return String.join("\t", fields);
    }

    private static byte[] bytes(SteadFs fs, String path) throws IOException {
        try (var reader = fs.open(FsPath.parse(path))) {
            ByteBuffer bytes = ByteBuffer.allocate((int) reader.length());
            while (bytes.hasRemaining() && reader.read(bytes.position(), bytes) > 0) {
                // A read may return less than asked for.
            }
            if (bytes.hasRemaining()) {
                throw new IOException(path + " has " + bytes.position() + " bytes, not " + bytes.limit());
            }
            return bytes.array();
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
