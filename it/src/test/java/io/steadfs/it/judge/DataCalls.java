package io.steadfs.it.judge;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/** Files and their bytes, by {@code FileSystem} and its streams. */
final class DataCalls {
    private static final List<EnumSet<CreateFlag>> FLAGS = List.of(
            EnumSet.of(CreateFlag.CREATE),
            EnumSet.of(CreateFlag.OVERWRITE),
            EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
            EnumSet.of(CreateFlag.APPEND),
            EnumSet.of(CreateFlag.CREATE, CreateFlag.APPEND),
            EnumSet.of(CreateFlag.APPEND, CreateFlag.OVERWRITE),
            EnumSet.noneOf(CreateFlag.class));
    private static final int SLOTS = 2;
    private static final int BUFFER = 4096;

    private DataCalls() {}

    /** What a create is given. */
    private record Made(boolean overwrite, short replication, long blockSize, int length, EnumSet<CreateFlag> flags) {
        static Made of(Choices choices) {
            return new Made(
                    choices.oneIn(2), choices.replication(), choices.blockSize(), choices.length(), choices.of(FLAGS));
        }
    }

    /** A place for a stream, and how many bytes are meant. */
    private record Slot(int slot, int length, long position) {
        static Slot of(Choices choices) {
            return new Slot(
                    choices.below(SLOTS), choices.length(), choices.of(List.of(0L, 1L, 500L, 5000L, 100_000L, -1L)));
        }
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    static @Nullable Object write(FSDataOutputStream out, int length) throws Exception {
        try (out) {
            out.write(bytes(length));
        }
        return out.getPos();
    }

    static List<Kind> all() {
        return List.of(
                // ---- made
                Kind.with(
                        40,
                        "create",
                        Choices::length,
                        (a, p, n) -> write(a.files().create(p), n)),
                Kind.with(
                        20,
                        "create(overwrite, replication, blockSize)",
                        Made::of,
                        (a, p, m) -> write(
                                a.files().create(p, m.overwrite(), BUFFER, m.replication(), m.blockSize()),
                                m.length())),
                Kind.with(
                        8,
                        "create(flags)",
                        Made::of,
                        (a, p, m) -> write(
                                a.files()
                                        .create(
                                                p,
                                                FsPermission.getFileDefault(),
                                                m.flags(),
                                                BUFFER,
                                                (short) 1,
                                                1 << 20,
                                                null,
                                                null),
                                m.length())),
                Kind.with(
                        8,
                        "createNonRecursive",
                        Made::of,
                        (a, p, m) -> write(
                                a.files().createNonRecursive(p, m.overwrite(), BUFFER, (short) 1, 1 << 20, null),
                                m.length())),
                Kind.with(
                        5,
                        "createNonRecursive(flags)",
                        Made::of,
                        (a, p, m) -> write(
                                a.files()
                                        .createNonRecursive(
                                                p,
                                                FsPermission.getFileDefault(),
                                                m.flags(),
                                                BUFFER,
                                                (short) 1,
                                                1 << 20,
                                                null),
                                m.length())),
                Kind.of(5, "createNewFile", (a, p) -> a.files().createNewFile(p)),
                Kind.with(
                        6,
                        "createFile",
                        Made::of,
                        (a, p, m) -> write(
                                a.files()
                                        .createFile(p)
                                        .overwrite(m.overwrite())
                                        .recursive()
                                        .replication(m.replication())
                                        .blockSize(m.blockSize())
                                        .build(),
                                m.length())),
                Kind.of(
                        3,
                        "createFile(must nonsense)",
                        (a, p) -> write(
                                (FSDataOutputStream) a.files()
                                        .createFile(p)
                                        .must("fs.nobody.knows", 1)
                                        .build(),
                                1)),
                Kind.with(
                        12,
                        "append",
                        Choices::length,
                        (a, p, n) -> write(a.files().append(p), n)),
                Kind.with(
                        4,
                        "appendFile",
                        Choices::length,
                        (a, p, n) -> write(a.files().appendFile(p).build(), n)),
                Kind.with(
                        6, "truncate", c -> c.of(List.of(0L, 0L, 1000L, 70_000L, -1L, 1L << 40)), DataCalls::truncate),
                Kind.ofTwo(4, "concat", (a, p, q) -> {
                    a.files().concat(p, new Path[] {q});
                    return null;
                }),
                Kind.ofTwo(
                        2,
                        "FileUtil.copy",
                        (a, p, q) -> FileUtil.copy(
                                a.files(),
                                p,
                                a.files(),
                                q,
                                false,
                                true,
                                a.files().getConf())),
                // ---- read
                Kind.of(20, "open and read", (a, p) -> {
                    try (FSDataInputStream in = a.files().open(p)) {
                        return in.readAllBytes();
                    }
                }),
                Kind.of(5, "openFile", (a, p) -> {
                    try (FSDataInputStream in = a.files().openFile(p).build().get()) {
                        return in.readAllBytes();
                    } catch (ExecutionException e) {
                        throw e.getCause() instanceof Exception cause ? cause : e;
                    }
                }),
                Kind.of(6, "getFileChecksum", (a, p) -> a.files().getFileChecksum(p)),
                Kind.with(
                        4,
                        "getFileChecksum(length)",
                        c -> c.of(List.of(0L, 1000L, 1L << 40, -1L)),
                        (a, p, n) -> a.files().getFileChecksum(p, n)),
                Kind.with(
                        8,
                        "getFileBlockLocations",
                        c -> c.of(List.of(0L, 1L, 1L << 40, -1L)),
                        (a, p, n) -> a.files().getFileBlockLocations(p, n, 1000)),
                // ---- writers that stay open
                Kind.with(10, "open writer", Slot::of, (a, p, s) -> {
                    a.put(s.slot(), a.files().create(p, true));
                    return null;
                }),
                Kind.with(3, "open appender", Slot::of, (a, p, s) -> {
                    a.put(s.slot(), a.files().append(p));
                    return null;
                }),
                writer(12, "write", (out, s) -> out.write(bytes(s.length()))),
                writer(3, "write outside an array", (out, s) -> out.write(new byte[5], 3, 3)),
                writer(5, "hflush", (out, s) -> out.hflush()),
                writer(5, "hsync", (out, s) -> out.hsync()),
                writer(4, "flush", (out, s) -> out.flush()),
                writer(8, "close writer", (out, s) -> out.close()),
                new Kind(3, "position of a writer", c -> {
                    Slot slot = Slot.of(c);
                    return new Call(
                            "position of a writer",
                            List.of(slot),
                            a -> a.writer(slot.slot()).map(FSDataOutputStream::getPos));
                }),
                new Kind(3, "capabilities of a writer", c -> {
                    Slot slot = Slot.of(c);
                    return new Call(
                            "capabilities of a writer",
                            List.of(slot),
                            a -> a.writer(slot.slot())
                                    .map(out -> List.of("hflush", "hsync", "nonsense").stream()
                                            .filter(out::hasCapability)
                                            .toList()));
                }),
                // ---- readers that stay open
                Kind.with(8, "open reader", Slot::of, (a, p, s) -> {
                    a.put(s.slot(), a.files().open(p));
                    return null;
                }),
                reader(8, "read", (in, s) -> {
                    byte[] bytes = new byte[s.length()];
                    int count = in.read(bytes, 0, Math.min(1000, bytes.length));
                    // How much of what is there one read gives is the file system's choice.
                    return count > 0 ? "some" : count;
                }),
                reader(5, "read at", (in, s) -> {
                    int count = in.read(s.position(), new byte[10], 0, 10);
                    return count > 0 ? "some" : count;
                }),
                reader(6, "read fully at", (in, s) -> {
                    byte[] bytes = new byte[s.length()];
                    in.readFully(s.position(), bytes);
                    return bytes;
                }),
                reader(6, "seek", (in, s) -> {
                    in.seek(s.position());
                    return in.getPos();
                }),
                reader(3, "skip", (in, s) -> {
                    in.seek(0);
                    return in.skip(s.position());
                }),
                reader(3, "available", (in, s) -> {
                    in.seek(0);
                    return in.available() > 0;
                }),
                reader(3, "seekToNewSource", (in, s) -> in.seekToNewSource(s.position())),
                reader(3, "read into a direct buffer", (in, s) -> {
                    in.seek(0);
                    return in.read(ByteBuffer.allocateDirect(100)) > 0;
                }),
                reader(3, "mark", (in, s) -> in.markSupported()),
                reader(3, "unbuffer", (in, s) -> {
                    in.unbuffer();
                    return null;
                }),
                reader(3, "setReadahead", (in, s) -> {
                    in.setReadahead(s.position());
                    return null;
                }),
                reader(3, "setDropBehind", (in, s) -> {
                    in.setDropBehind(true);
                    return null;
                }),
                reader(6, "close reader", (in, s) -> {
                    in.close();
                    return null;
                }));
    }

    /** HDFS says false where the last block must be cut, and is done some time later: then this waits for it. */
    private static boolean truncate(Actor actor, Path path, long length) throws Exception {
        boolean done = actor.files().truncate(path, length);
        FileSystem files = actor.files();
        long until = System.nanoTime() + 60_000_000_000L;
        while (!done && !actor.leases().isFileClosed(path)) {
            if (System.nanoTime() - until > 0) {
                throw new IllegalStateException("not truncated after a minute: " + files.makeQualified(path));
            }
            Thread.sleep(20);
        }
        return done;
    }

    private interface OnWriter {
        void on(FSDataOutputStream out, Slot slot) throws Exception;
    }

    private interface OnReader {
        @Nullable
        Object on(FSDataInputStream in, Slot slot) throws Exception;
    }

    private static Kind writer(int weight, String name, OnWriter action) {
        return new Kind(weight, name, choices -> {
            Slot slot = Slot.of(choices);
            return new Call(name, List.of(slot), actor -> {
                var out = actor.writer(slot.slot());
                if (out.isEmpty()) {
                    return "no writer";
                }
                action.on(out.get(), slot);
                return null;
            });
        });
    }

    private static Kind reader(int weight, String name, OnReader action) {
        return new Kind(weight, name, choices -> {
            Slot slot = Slot.of(choices);
            return new Call(name, List.of(slot), actor -> {
                var in = actor.reader(slot.slot());
                return in.isEmpty() ? "no reader" : action.on(in.get(), slot);
            });
        });
    }
}
