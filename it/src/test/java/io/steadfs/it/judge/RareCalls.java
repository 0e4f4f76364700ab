package io.steadfs.it.judge;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.fs.Path;

/** What few programs call, of {@code FileSystem} and {@code FileContext}. */
final class RareCalls {
    private RareCalls() {}

    @SuppressWarnings("deprecation")
    static List<Kind> all() {
        return List.of(
                // ---- FileSystem
                Kind.of(2, "isDirectory", (a, p) -> a.files().isDirectory(p)),
                Kind.of(2, "isFile", (a, p) -> a.files().isFile(p)),
                Kind.of(
                        2,
                        "getLength",
                        (a, p) -> a.hasWriters() ? null : a.files().getLength(p)),
                Kind.of(
                        2,
                        "getUsed",
                        (a, p) -> a.hasWriters() ? null : a.files().getUsed(p)),
                Kind.of(2, "getReplication", (a, p) -> a.files().getReplication(p)),
                Kind.of(2, "getBlockSize", (a, p) -> a.files().getBlockSize(p)),
                Kind.of(1, "msync", (a, p) -> {
                    a.files().msync();
                    return null;
                }),
                Kind.of(1, "getTrashRoots", (a, p) -> a.files().getTrashRoots(true)),
                Kind.of(1, "getChildFileSystems", (a, p) -> a.files().getChildFileSystems() == null),
                Kind.with(
                        2,
                        "append(new block)",
                        Choices::length,
                        (a, p, n) -> DataCalls.write(a.files().append(p, true), n)),
                Kind.ofTwo(2, "bulkDelete", (a, p, q) -> {
                    try (BulkDelete bulk = a.files().createBulkDelete(p)) {
                        return bulk.pageSize() + " "
                                + bulk.bulkDelete(List.of(q)).size();
                    }
                }),
                Kind.of(
                        2,
                        "openFile(random)",
                        (a, p) -> read(
                                a.files().openFile(p).opt(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY, "random"))),
                Kind.of(
                        2,
                        "openFile(status)",
                        (a, p) -> read(
                                a.files().openFile(p).withFileStatus(a.files().getFileStatus(p)))),
                Kind.of(
                        2,
                        "openFile(must nonsense)",
                        (a, p) -> read(a.files().openFile(p).must("fs.nobody.knows", true))),
                Kind.of(2, "readVectored", RareCalls::vectored),
                // ---- FileContext
                Kind.with(3, "fc.create(builder)", c -> c.oneIn(2), (a, p, overwrite) -> {
                    try (FSDataOutputStream out =
                            a.context().create(p).overwrite(overwrite).build()) {
                        out.write(DataCalls.bytes(10));
                    }
                    return null;
                }),
                Kind.of(2, "fc.openFile", (a, p) -> read(a.context().openFile(p))),
                Kind.of(2, "fc.setWorkingDirectory", (a, p) -> {
                    Path before = a.context().getWorkingDirectory();
                    try {
                        a.context().setWorkingDirectory(p);
                        return a.context().getWorkingDirectory();
                    } finally {
                        a.context().setWorkingDirectory(before);
                    }
                }),
                Kind.of(
                        1,
                        "fc.hasPathCapability",
                        (a, p) -> a.context().hasPathCapability(p, "fs.capability.paths.append")),
                Kind.of(
                        1,
                        "fc.getServerDefaults",
                        (a, p) -> a.context().getServerDefaults(p).getBlockSize()),
                Kind.of(1, "fc.msync", (a, p) -> {
                    a.context().msync();
                    return null;
                }),
                Kind.of(1, "fc.makeQualified", (a, p) -> a.context().makeQualified(p)),
                Kind.of(1, "fc.setVerifyChecksum", (a, p) -> {
                    a.context().setVerifyChecksum(true, p);
                    return null;
                }),
                Kind.with(
                        2,
                        "fc.getXAttr",
                        Choices::xattr,
                        (a, p, x) -> a.context().getXAttr(p, x)),
                Kind.with(
                        1,
                        "fc.getXAttrs(names)",
                        c -> List.of(c.xattr(), c.xattr()),
                        (a, p, names) -> a.context().getXAttrs(p, names)),
                Kind.ofTwo(
                        2,
                        "fc.util.listStatus(several)",
                        (a, p, q) -> a.context().util().listStatus(new Path[] {p, q})));
    }

    private static byte[] read(FutureDataInputStreamBuilder open) throws Exception {
        try (FSDataInputStream in = open.build().get()) {
            return in.readAllBytes();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static Object vectored(Actor actor, Path path) throws Exception {
        List<FileRange> ranges = List.of(FileRange.createFileRange(0, 5), FileRange.createFileRange(500, 100));
        try (FSDataInputStream in = actor.files().open(path)) {
            in.readVectored(ranges, ByteBuffer::allocate);
            StringBuilder all = new StringBuilder();
            for (FileRange range : ranges) {
                CompletableFuture<ByteBuffer> data = range.getData();
                all.append(' ').append(data.get().hashCode());
            }
            return all.toString();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
