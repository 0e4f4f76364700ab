package io.steadfs.it.rules;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;

/**
 * A file, directory or symbolic link as a row tells it, such as {@code d/f member:staff 640 =abc}.
 *
 * @param path below the directory of the case
 * @param text bytes of a file; target of a link
 * @param isFull whether a directory also has the names that make it what it is
 * @param isTouched whether the modification time is a new one
 * @param modified a modification time that was set
 * @param accessed an access time that was set
 */
record Thing(
        String path,
        Kind kind,
        String owner,
        String group,
        int mode,
        String text,
        boolean isFull,
        boolean isTouched,
        OptionalLong modified,
        OptionalLong accessed,
        Map<String, String> xattrs) {
    /** The modification time of everything before the calls of a rule: September 2001. */
    static final long OLD = 1_000_000_000_000L;

    private static final Pattern MODE = Pattern.compile("[0-7]{3,4}");
    private static final Pattern XATTR = Pattern.compile("[a-z]+\\.\\w+=\\w+");

    enum Kind {
        FILE(0644),
        DIRECTORY(0755),
        LINK(0777);

        private final int usualMode;

        Kind(int usualMode) {
            this.usualMode = usualMode;
        }

        int usualMode() {
            return usualMode;
        }
    }

    /** Reads one from a row. */
    static Thing of(String words) {
        String[] tokens = words.split(" ", -1);
        String path = Names.whole(tokens[0]);
        boolean isGround = State.GROUNDS.contains(path);
        Kind kind = isGround || path.equals(State.BASE) || path.endsWith("/") ? Kind.DIRECTORY : Kind.FILE;
        path = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        String owner = "owner";
        String group = "staff";
        Optional<Integer> mode = Optional.empty();
        String text = "";
        boolean isFull = isGround;
        boolean isTouched = false;
        OptionalLong modified = OptionalLong.empty();
        OptionalLong accessed = OptionalLong.empty();
        Map<String, String> xattrs = new TreeMap<>();
        for (String token : Arrays.asList(tokens).subList(1, tokens.length)) {
            String rest = token.substring(1);
            if (MODE.matcher(token).matches()) {
                mode = Optional.of(Integer.parseInt(token, 8));
            } else if (token.equals("*")) {
                isTouched = true;
            } else if (token.equals("full") || token.equals("empty")) {
                isFull = token.equals("full");
            } else if (token.startsWith("->")) {
                kind = Kind.LINK;
                text = token.substring(2);
            } else if (token.startsWith("=")) {
                text = rest;
            } else if (token.startsWith("@")) {
                modified = OptionalLong.of(Long.parseLong(rest));
            } else if (token.startsWith("^")) {
                accessed = OptionalLong.of(Long.parseLong(rest));
            } else if (XATTR.matcher(token).matches()) {
                xattrs.put(token.substring(0, token.indexOf('=')), token.substring(token.indexOf('=') + 1));
            } else if (token.indexOf(':') > 0) {
                owner = token.substring(0, token.indexOf(':'));
                group = token.substring(token.indexOf(':') + 1);
            } else {
                throw new IllegalArgumentException(token + " of " + words);
            }
        }
        return new Thing(
                path,
                kind,
                owner,
                group,
                mode.orElse(kind.usualMode()),
                text,
                isFull,
                isTouched,
                modified,
                accessed,
                xattrs);
    }

    /** What must be found, for comparison with {@link #found}. */
    String expected(int keptNames) {
        return shown(kind, owner, group, mode, text, isFull ? keptNames : 0, xattrs);
    }

    /** What was found, but for its times. */
    static String found(FileStatus status, String text, int keptNames, Map<String, String> xattrs) {
        return shown(
                kind(status),
                status.getOwner(),
                status.getGroup(),
                status.getPermission().toShort(),
                text,
                keptNames,
                xattrs);
    }

    private static String shown(
            Kind kind, String owner, String group, int mode, String text, int keptNames, Map<String, String> xattrs) {
        return kind + " " + owner + ":" + group + " " + Integer.toOctalString(mode)
                + (kind == Kind.DIRECTORY ? " kept names " + keptNames : " \"" + text + "\"")
                + (xattrs.isEmpty() ? "" : " " + xattrs);
    }

    /** The times that must be found, for comparison with {@link #foundTimes}. */
    String expectedTimes() {
        String time = modified.isPresent() ? "@" + modified.getAsLong() : isTouched ? "new" : "old";
        return times(kind, time, accessed);
    }

    /** @param expected of the same path, if there should be one */
    static String foundTimes(Optional<Thing> expected, FileStatus status) {
        long modified = status.getModificationTime();
        boolean isSet = modified < OLD
                || expected.filter(thing -> thing.modified.isPresent()).isPresent();
        boolean wasRead = expected.filter(thing -> thing.accessed.isPresent()).isPresent();
        return times(
                kind(status),
                isSet ? "@" + modified : modified == OLD ? "old" : "new",
                wasRead ? OptionalLong.of(status.getAccessTime()) : OptionalLong.empty());
    }

    /** A link has the time when it was made, and nothing changes it. */
    private static String times(Kind kind, String modified, OptionalLong accessed) {
        return (kind == Kind.LINK ? "" : modified) + (accessed.isPresent() ? " ^" + accessed.getAsLong() : "");
    }

    private static Kind kind(FileStatus status) {
        return status.isSymlink() ? Kind.LINK : status.isDirectory() ? Kind.DIRECTORY : Kind.FILE;
    }
}
