package io.steadfs.it.rules;

import static java.util.Map.entry;

import io.steadfs.error.FsException;
import io.steadfs.it.rules.Users.User;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/** What rules call, and what it answers as text. */
final class Verbs {
    private static final String DONE = "done";
    private static final int BUFFER = 4096;
    private static final short COPIES = 1;

    private static final Map<String, Verb> ALL = Map.ofEntries(
            entry("chmod", doing((user, at) -> user.files().setPermission(at.path(0), at.mode(1)))),
            entry("chown", doing(Verbs::chown)),
            entry("mkdirs", (user, at) -> "" + user.files().mkdirs(at.path(0), at.mode(1))),
            entry("mkdir", doing((user, at) -> user.context().mkdir(at.path(0), at.mode(1), false))),
            entry("create", doing((user, at) -> create(user, at, EnumSet.of(CreateFlag.CREATE), true))),
            entry("create-here", doing((user, at) -> create(user, at, EnumSet.of(CreateFlag.CREATE), false))),
            entry(
                    "overwrite",
                    doing((user, at) -> create(user, at, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE), true))),
            entry("open", (user, at) -> read(user, at.path(0))),
            entry("append", doing(Verbs::append)),
            entry("truncate", (user, at) -> "" + user.files().truncate(at.path(0), at.number(1))),
            entry("list", (user, at) -> list(user, at.path(0))),
            entry("stat", (user, at) -> status(user.files().getFileStatus(at.path(0)))),
            entry("lstat", (user, at) -> status(user.files().getFileLinkStatus(at.path(0)))),
            entry("exists", (user, at) -> "" + user.files().exists(at.path(0))),
            entry("access", doing((user, at) -> user.files().access(at.path(0), FsAction.getFsAction(at.text(1))))),
            entry("rename", (user, at) -> "" + user.files().rename(at.path(0), at.path(1))),
            entry("rename-new", doing((user, at) -> user.context().rename(at.path(0), at.path(1), Rename.NONE))),
            entry("replace", doing((user, at) -> user.context().rename(at.path(0), at.path(1), Rename.OVERWRITE))),
            entry("delete", (user, at) -> "" + user.files().delete(at.path(0), false)),
            entry("delete-all", (user, at) -> "" + user.files().delete(at.path(0), true)),
            entry("symlink", doing((user, at) -> user.files().createSymlink(new Path(at.text(0)), at.path(1), false))),
            entry("readlink", (user, at) -> "" + user.files().getLinkTarget(at.path(0))),
            entry("times", doing((user, at) -> user.files().setTimes(at.path(0), at.number(1), at.number(2)))),
            entry("set-xattr", doing((user, at) -> setXattr(user, at, EnumSet.allOf(XAttrSetFlag.class)))),
            entry("new-xattr", doing((user, at) -> setXattr(user, at, EnumSet.of(XAttrSetFlag.CREATE)))),
            entry("change-xattr", doing((user, at) -> setXattr(user, at, EnumSet.of(XAttrSetFlag.REPLACE)))),
            entry("get-xattr", (user, at) -> string(user.files().getXAttr(at.path(0), at.text(1)))),
            entry("remove-xattr", doing((user, at) -> user.files().removeXAttr(at.path(0), at.text(1)))));

    private interface Verb {
        String answer(User user, Arguments at) throws IOException;
    }

    private interface Action {
        void take(User user, Arguments at) throws IOException;
    }

    /** Arguments of a call. Names are below the directory of the case. */
    private record Arguments(Path base, List<String> words) {
        String text(int place) {
            return words.get(place);
        }

        Path path(int place) {
            return new Path(base, Names.whole(text(place)));
        }

        FsPermission mode(int place) {
            return new FsPermission(text(place));
        }

        long number(int place) {
            return Long.parseLong(text(place));
        }
    }

    private Verbs() {}

    private static Verb doing(Action action) {
        return (user, at) -> {
            action.take(user, at);
            return DONE;
        };
    }

    /** What the call answers; an exception, as text, too. */
    static String answer(Users users, Path base, Call call) {
        try {
            return make(users, base, call);
        } catch (IOException | RuntimeException e) {
            return named(e);
        }
    }

    /** Makes a call, and answers what it answers. */
    static String make(Users users, Path base, Call call) throws IOException {
        Verb verb = ALL.get(call.verb());
        if (verb == null) {
            throw new AssertionError("there is no call " + call);
        }
        return verb.answer(users.of(call.who()), new Arguments(base, call.arguments()));
    }

    /** The nearest class that a program can catch. One that Hadoop has for several errors comes with the error. */
    private static String named(Exception e) {
        Class<?> known = e.getClass();
        while (!Modifier.isPublic(known.getModifiers())) {
            known = known.getSuperclass();
        }
        String error = e.getCause() instanceof FsException cause ? " " + cause.error() : "";
        boolean isExpected = !e.toString().contains("BUSY") && !e.toString().contains("gives names");
        boolean isGeneral = known == PathIOException.class || known == IOException.class;
        return known.getSimpleName() + (isGeneral ? error : "") + (isExpected ? "" : ", which no caller may see: " + e);
    }

    private static void chown(User user, Arguments at) throws IOException {
        String[] names = at.text(1).split(":", -1);
        user.files().setOwner(at.path(0), wanted(names[0]), wanted(names[1]));
    }

    private static @Nullable String wanted(String name) {
        return name.isEmpty() ? null : name;
    }

    private static void create(User user, Arguments at, EnumSet<CreateFlag> flags, boolean createParent)
            throws IOException {
        FsPermission mode = at.words().size() > 1 ? at.mode(1) : FsPermission.getFileDefault();
        FileSystem files = user.files();
        Path file = at.path(0);
        long blockSize = files.getDefaultBlockSize(file);
        FSDataOutputStream out = createParent
                ? files.create(file, mode, flags, BUFFER, COPIES, blockSize, null)
                : files.createNonRecursive(file, mode, flags, BUFFER, COPIES, blockSize, null);
        out.close();
    }

    private static void append(User user, Arguments at) throws IOException {
        try (FSDataOutputStream out = user.files().append(at.path(0))) {
            out.write(at.text(1).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String read(User user, Path file) throws IOException {
        try (FSDataInputStream in = user.files().open(file)) {
            return string(in.readAllBytes());
        }
    }

    private static String list(User user, Path directory) throws IOException {
        return Arrays.stream(user.files().listStatus(directory))
                .map(status -> status.getPath().getName())
                .filter(name -> !Ground.isKept(name))
                .collect(Collectors.joining(" ", "[", "]"));
    }

    private static String status(FileStatus status) {
        String kind = status.isSymlink() ? "link" : status.isDirectory() ? "directory" : "file";
        return kind + " " + status.getOwner() + ":" + status.getGroup() + " "
                + Integer.toOctalString(status.getPermission().toShort());
    }

    private static void setXattr(User user, Arguments at, EnumSet<XAttrSetFlag> flags) throws IOException {
        user.files().setXAttr(at.path(0), at.text(1), at.text(2).getBytes(StandardCharsets.UTF_8), flags);
    }

    private static String string(byte @Nullable [] bytes) {
        return bytes == null ? "nothing" : new String(bytes, StandardCharsets.UTF_8);
    }
}
