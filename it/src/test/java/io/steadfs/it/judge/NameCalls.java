package io.steadfs.it.judge;

import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/** Names and attributes, by {@code FileSystem}. */
final class NameCalls {
    static final List<EnumSet<XAttrSetFlag>> XATTR_FLAGS = List.of(
            EnumSet.of(XAttrSetFlag.CREATE),
            EnumSet.of(XAttrSetFlag.REPLACE),
            EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE),
            EnumSet.noneOf(XAttrSetFlag.class));

    private NameCalls() {}

    private record Xattr(String name, int length, EnumSet<XAttrSetFlag> flags) {
        static Xattr of(Choices choices) {
            return new Xattr(choices.xattr(), choices.below(3), choices.of(XATTR_FLAGS));
        }
    }

    private record Owner(String user, String group) {}

    private record Times(long modified, long accessed) {
        static Times of(Choices choices) {
            return new Times(choices.time(), choices.time());
        }
    }

    static List<Kind> all() {
        return List.of(
                // ---- names
                Kind.of(25, "mkdirs", (a, p) -> a.files().mkdirs(p)),
                Kind.with(
                        8,
                        "mkdirs(permission)",
                        Choices::mode,
                        (a, p, m) -> a.files().mkdirs(p, new FsPermission(m))),
                Kind.ofTwo(25, "rename", (a, p, q) -> a.files().rename(p, q)),
                Kind.with(
                        12,
                        "delete",
                        c -> c.oneIn(2),
                        (a, p, recursive) -> a.files().delete(p, recursive)),
                Kind.of(2, "deleteOnExit", (a, p) -> a.files().deleteOnExit(p)),
                Kind.of(2, "cancelDeleteOnExit", (a, p) -> a.files().cancelDeleteOnExit(p)),
                Kind.ofTwo(3, "createSymlink", (a, p, q) -> {
                    a.files().createSymlink(p, q, true);
                    return null;
                }),
                // ---- looks
                Kind.of(25, "getFileStatus", (a, p) -> a.files().getFileStatus(p)),
                Kind.of(10, "exists", (a, p) -> a.files().exists(p)),
                Kind.of(3, "getFileLinkStatus", (a, p) -> a.files().getFileLinkStatus(p)),
                Kind.of(2, "getLinkTarget", (a, p) -> a.files().getLinkTarget(p)),
                Kind.of(20, "listStatus", (a, p) -> a.files().listStatus(p)),
                Kind.ofTwo(3, "listStatus(several)", (a, p, q) -> a.files().listStatus(new Path[] {p, q})),
                Kind.of(
                        5,
                        "listStatus(filter)",
                        (a, p) -> a.files().listStatus(p, each -> each.getName().length() == 1)),
                Kind.of(8, "listStatusIterator", (a, p) -> a.files().listStatusIterator(p)),
                Kind.of(8, "listLocatedStatus", (a, p) -> a.files().listLocatedStatus(p)),
                Kind.with(
                        10,
                        "listFiles",
                        c -> c.oneIn(2),
                        (a, p, recursive) -> a.files().listFiles(p, recursive)),
                Kind.with(
                        10,
                        "globStatus",
                        Choices::glob,
                        (a, p, glob) -> a.files().globStatus(new Path(p, glob))),
                Kind.with(
                        4,
                        "globStatus(relative)",
                        Choices::glob,
                        (a, p, glob) -> a.files().globStatus(new Path(glob))),
                Kind.of(8, "getContentSummary", (a, p) -> a.files().getContentSummary(p)),
                Kind.of(3, "getQuotaUsage", (a, p) -> a.files().getQuotaUsage(p).getFileAndDirectoryCount()),
                Kind.with(6, "access", c -> c.of(List.of(FsAction.values())), (a, p, action) -> {
                    a.files().access(p, action);
                    return null;
                }),
                Kind.of(3, "isFileClosed", (a, p) -> a.leases().isFileClosed(p)),
                Kind.of(2, "resolvePath", (a, p) -> a.files().resolvePath(p)),
                Kind.of(2, "makeQualified", (a, p) -> a.files().makeQualified(p)),
                Kind.of(2, "getDefaultReplication", (a, p) -> a.files().getDefaultReplication(p)),
                Kind.of(2, "getDefaultBlockSize", (a, p) -> a.files().getDefaultBlockSize(p)),
                Kind.of(
                        2,
                        "getServerDefaults",
                        (a, p) -> a.files().getServerDefaults(p).getBlockSize()),
                Kind.of(2, "getStatus", (a, p) -> a.files().getStatus(p).getCapacity() > 0),
                Kind.of(2, "getEnclosingRoot", (a, p) -> a.files().getEnclosingRoot(p)),
                Kind.of(2, "getTrashRoot", (a, p) -> a.files().getTrashRoot(p)),
                Kind.of(1, "getHomeDirectory", (a, p) -> a.files().getHomeDirectory()),
                Kind.of(1, "getWorkingDirectory", (a, p) -> a.files().getWorkingDirectory()),
                Kind.of(2, "getPathHandle", (a, p) -> a.files().getPathHandle(status(a, p)) == null),
                Kind.of(2, "listCorruptFileBlocks", (a, p) -> a.files().listCorruptFileBlocks(p)),
                Kind.with(
                        3,
                        "hasPathCapability",
                        c -> c.of(List.of(
                                "fs.capability.paths.append",
                                "fs.capability.paths.permissions",
                                "fs.capability.paths.checksums",
                                "fs.capability.paths.xattrs",
                                "fs.capability.paths.truncate",
                                "nonsense",
                                "")),
                        (a, p, name) -> a.files().hasPathCapability(p, name)),
                // ---- attributes
                Kind.with(8, "setPermission", Choices::mode, (a, p, m) -> {
                    a.files().setPermission(p, new FsPermission(m));
                    return null;
                }),
                Kind.with(6, "setOwner", NameCalls::owner, (a, p, o) -> {
                    a.files().setOwner(p, o.user(), o.group());
                    return null;
                }),
                Kind.of(1, "setOwner(nobody)", (a, p) -> {
                    a.files().setOwner(p, null, null);
                    return null;
                }),
                Kind.with(6, "setTimes", Times::of, (a, p, t) -> {
                    a.files().setTimes(p, t.modified(), t.accessed());
                    return null;
                }),
                Kind.with(
                        8,
                        "setReplication",
                        Choices::replication,
                        (a, p, r) -> a.files().setReplication(p, r)),
                Kind.with(8, "setXAttr", Xattr::of, (a, p, x) -> {
                    a.files().setXAttr(p, x.name(), new byte[x.length()], x.flags());
                    return null;
                }),
                Kind.with(5, "getXAttr", Choices::xattr, (a, p, x) -> a.files().getXAttr(p, x)),
                Kind.of(5, "getXAttrs", (a, p) -> a.files().getXAttrs(p)),
                Kind.with(
                        3,
                        "getXAttrs(names)",
                        c -> List.of(c.xattr(), c.xattr()),
                        (a, p, names) -> a.files().getXAttrs(p, names)),
                Kind.of(3, "listXAttrs", (a, p) -> a.files().listXAttrs(p)),
                Kind.with(4, "removeXAttr", Choices::xattr, (a, p, x) -> {
                    a.files().removeXAttr(p, x);
                    return null;
                }),
                Kind.of(2, "setWorkingDirectory", (a, p) -> {
                    Path before = a.files().getWorkingDirectory();
                    try {
                        a.files().setWorkingDirectory(p);
                        return a.files().getWorkingDirectory();
                    } finally {
                        a.files().setWorkingDirectory(before);
                    }
                }),
                rename3(Rename.NONE),
                rename3(Rename.OVERWRITE),
                Kind.of(
                        2,
                        "a status of another path",
                        (a, p) ->
                                a.files().getFileBlockLocations(new FileStatus(100, false, 1, 1 << 20, 0, p), 0, 100)));
    }

    private static FileStatus status(Actor actor, Path path) throws Exception {
        return actor.files().getFileStatus(path);
    }

    private static Owner owner(Choices choices) {
        return new Owner(choices.owner(), choices.group());
    }

    /** The method of FileSystem is protected; FileContext has the public way to it. */
    private static Kind rename3(Rename option) {
        String name = "fc.rename " + option;
        return Kind.ofTwo(10, name, (a, p, q) -> {
            a.context().rename(a.context().makeQualified(p), a.context().makeQualified(q), option);
            return null;
        });
    }
}
