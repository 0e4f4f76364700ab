package io.steadfs.it.format;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Makes the files of a fixture: of each sort of row one at least. Their bytes repeat, so that the fixture is small. */
final class FixtureFiles {
    static final String OPEN = "/open/writing";

    private static final int SMALL_FILES = 30;
    private static final int GROWN = 100;
    private static final int STRIP = 1 << 16;
    /** More than one group of checksums in each of two columns. */
    private static final int LARGE = 2 * (4 << 20) + 3 * STRIP + 17;

    private FixtureFiles() {}

    /** Files that are in the stores' files of rows after a restart. */
    static void first(SteadFs fs) throws IOException {
        for (int i = 0; i < SMALL_FILES; i++) {
            write(fs, "/small-" + i % 3 + "/file " + i, 1 + i * 97);
        }
        write(fs, "/large/two columns", LARGE);
        write(fs, "/large/empty", 0);
        write(fs, "/names/Äpfel und 苹果", 10);
        fs.setXattr(path("/names"), Listed.XATTR + "colour", text("green"), true, false);
        fs.setXattr(path("/large/two columns"), Listed.XATTR + "origin", text("repeated bytes"), true, false);
        fs.setAttributes(path("/names"), AttributeChange.mode(01750));
        fs.mkdirs(path("/several partitions"), 0755, true, false);
        fs.setXattr(path("/several partitions"), DirectoryHints.EXPECTED_FILES, text("60000"), true, false);
        for (int i = 0; i < SMALL_FILES; i++) {
            write(fs, "/several partitions/file " + i, 1 + i * 89);
        }
        fs.setAttributes(path("/names/Äpfel und 苹果"), AttributeChange.owner(Optional.of("anna"), Optional.of("staff")));
        fs.setAttributes(path("/small-0/file 0"), AttributeChange.replication(3));
    }

    /** A directory with so many names that it splits. */
    static FsPath grown(SteadFs fs) throws IOException {
        for (int i = 0; i < GROWN; i++) {
            write(fs, "/grown/file " + i, i);
        }
        return path("/grown");
    }

    /** Files whose rows are in the stores' logs. */
    static void second(SteadFs fs) throws IOException {
        write(fs, "/late/one", 700);
        write(fs, "/late/cut", 3 * STRIP);
        fs.truncate(path("/late/cut"), STRIP + 5);
        try (FileWriter more = fs.append(path("/late/one"))) {
            write(more, 5_000);
        }
        fs.rename(path("/small-1/file 1"), path("/late/moved"), RenameMode.NO_REPLACE);
        fs.rename(path("/small-2"), path("/late/small-2"), RenameMode.NO_REPLACE);
        fs.delete(path("/small-0/file 3"), false);
        fs.mkdirs(path("/empty/directory"), 0700, true, false);
        fs.createSymlink(path("/late/link"), "small-2/file 5", false, 0755);
    }

    /** A file that stays open. Its bytes are on stable storage. */
    static FileWriter open(SteadFs fs) throws IOException {
        FileWriter writer = fs.create(path(OPEN), CreateOptions.DEFAULT.withLayout(2, STRIP));
        write(writer, 2 * STRIP + 123);
        writer.hsync();
        return writer;
    }

    private static void write(SteadFs fs, String name, int length) throws IOException {
        try (FileWriter writer = fs.create(path(name), CreateOptions.DEFAULT.withLayout(2, STRIP))) {
            write(writer, length);
        }
    }

    private static void write(FileWriter writer, int length) throws IOException {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i % 251);
        }
        writer.write(bytes, 0, length);
    }

    private static FsPath path(String text) throws IOException {
        return FsPath.parse(text);
    }

    private static byte[] text(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }
}
