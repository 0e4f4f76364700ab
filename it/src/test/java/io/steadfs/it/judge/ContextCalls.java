package io.steadfs.it.judge;

import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.CreateOpts;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/** The same by {@code FileContext}. */
final class ContextCalls {
    private static final List<EnumSet<CreateFlag>> FLAGS = List.of(
            EnumSet.of(CreateFlag.CREATE),
            EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
            EnumSet.of(CreateFlag.APPEND),
            EnumSet.of(CreateFlag.CREATE, CreateFlag.APPEND),
            EnumSet.of(CreateFlag.OVERWRITE));

    private ContextCalls() {}

    private record Made(EnumSet<CreateFlag> flags, boolean parents, short replication, long blockSize, int length) {
        static Made of(Choices choices) {
            return new Made(
                    choices.of(FLAGS), choices.oneIn(2), choices.replication(), choices.blockSize(), choices.length());
        }

        CreateOpts[] options() {
            return new CreateOpts[] {
                CreateOpts.repFac(replication),
                CreateOpts.blockSize(blockSize),
                parents ? CreateOpts.createParent() : CreateOpts.donotCreateParent()
            };
        }
    }

    static List<Kind> all() {
        return List.of(
                Kind.with(10, "fc.create", Made::of, (a, p, m) -> {
                    try (FSDataOutputStream out = a.context().create(p, m.flags(), m.options())) {
                        out.write(DataCalls.bytes(m.length()));
                    }
                    return null;
                }),
                Kind.with(6, "fc.create(plain)", c -> c.of(FLAGS), (a, p, flags) -> {
                    a.context().create(p, flags, CreateOpts.createParent()).close();
                    return null;
                }),
                Kind.with(10, "fc.mkdir", c -> c.oneIn(2), (a, p, parents) -> {
                    a.context().mkdir(p, new FsPermission((short) 0777), parents);
                    return null;
                }),
                Kind.with(
                        6,
                        "fc.delete",
                        c -> c.oneIn(2),
                        (a, p, recursive) -> a.context().delete(p, recursive)),
                Kind.of(6, "fc.open", (a, p) -> {
                    try (FSDataInputStream in = a.context().open(p)) {
                        return in.readAllBytes();
                    }
                }),
                Kind.with(
                        3,
                        "fc.truncate",
                        c -> c.of(List.of(0L, -1L, 1L << 40)),
                        (a, p, n) -> a.context().truncate(p, n)),
                Kind.with(
                        4,
                        "fc.setReplication",
                        Choices::replication,
                        (a, p, r) -> a.context().setReplication(p, r)),
                Kind.with(4, "fc.setPermission", Choices::mode, (a, p, m) -> {
                    a.context().setPermission(p, new FsPermission(m));
                    return null;
                }),
                Kind.with(3, "fc.setOwner", Choices::owner, (a, p, user) -> {
                    a.context().setOwner(p, user, null);
                    return null;
                }),
                Kind.with(3, "fc.setTimes", Choices::time, (a, p, time) -> {
                    a.context().setTimes(p, time, time);
                    return null;
                }),
                Kind.of(8, "fc.getFileStatus", (a, p) -> a.context().getFileStatus(p)),
                Kind.of(2, "fc.getFileLinkStatus", (a, p) -> a.context().getFileLinkStatus(p)),
                Kind.of(2, "fc.getLinkTarget", (a, p) -> a.context().getLinkTarget(p)),
                Kind.with(3, "fc.access", c -> c.of(List.of(FsAction.values())), (a, p, action) -> {
                    a.context().access(p, action);
                    return null;
                }),
                Kind.of(3, "fc.getFileChecksum", (a, p) -> a.context().getFileChecksum(p)),
                Kind.with(
                        4,
                        "fc.getFileBlockLocations",
                        c -> c.of(List.of(0L, 1L, 1L << 40, -1L)),
                        (a, p, n) -> a.context().getFileBlockLocations(p, n, 1000)),
                Kind.of(6, "fc.listStatus", (a, p) -> a.context().listStatus(p)),
                Kind.of(4, "fc.listLocatedStatus", (a, p) -> a.context().listLocatedStatus(p)),
                Kind.of(4, "fc.util.listStatus", (a, p) -> a.context().util().listStatus(p)),
                Kind.with(
                        4,
                        "fc.util.listFiles",
                        c -> c.oneIn(2),
                        (a, p, recursive) -> a.context().util().listFiles(p, recursive)),
                Kind.of(3, "fc.util.exists", (a, p) -> a.context().util().exists(p)),
                Kind.of(
                        3,
                        "fc.util.getContentSummary",
                        (a, p) -> a.context().util().getContentSummary(p)),
                Kind.with(
                        4,
                        "fc.util.globStatus",
                        Choices::glob,
                        (a, p, glob) -> a.context().util().globStatus(new Path(p, glob))),
                Kind.ofTwo(2, "fc.util.copy", (a, p, q) -> a.context().util().copy(p, q)),
                Kind.ofTwo(2, "fc.createSymlink", (a, p, q) -> {
                    a.context().createSymlink(p, q, false);
                    return null;
                }),
                Kind.of(
                        1,
                        "fc.getFsStatus",
                        (a, p) -> a.context().getFsStatus(p).getCapacity() > 0),
                Kind.of(1, "fc.resolvePath", (a, p) -> a.context().resolvePath(p)),
                Kind.with(3, "fc.setXAttr", Choices::xattr, (a, p, x) -> {
                    a.context().setXAttr(p, x, new byte[1]);
                    return null;
                }),
                Kind.of(3, "fc.getXAttrs", (a, p) -> a.context().getXAttrs(p)),
                Kind.with(2, "fc.removeXAttr", Choices::xattr, (a, p, x) -> {
                    a.context().removeXAttr(p, x);
                    return null;
                }),
                Kind.of(2, "fc.listXAttrs", (a, p) -> a.context().listXAttrs(p)),
                Kind.of(1, "fc.getAclStatus", (a, p) -> a.context().getAclStatus(p)),
                Kind.of(1, "fc.getStoragePolicy", (a, p) -> a.context().getStoragePolicy(p)),
                Kind.of(1, "fc.listCorruptFileBlocks", (a, p) -> a.context().listCorruptFileBlocks(p)));
    }
}
