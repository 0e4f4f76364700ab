package io.steadfs.mds.op.list;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.partition.NameHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;

/**
 * A place in the listing of a tree: behind an entry, or at the beginning of a partition of the listed directory.
 *
 * <pre>
 *  a/b/c              behind the entry a/b/c, and before what is below it
 *  a/b/c/             behind a/b/c, which was marked: other requests list what is below it
 *  /8000000000000000  before all names of the listed directory with this hash
 *  (empty)            at the beginning
 * </pre>
 *
 * @param hash of the name in the listed directory, as an unsigned number
 * @param names from the listed directory to the entry; empty if the place is at the beginning of a partition
 * @param isMarked whether other requests list what is below the entry
 */
record TreeCursor(long hash, List<String> names, boolean isMarked) {
    /**
     * The largest number of bytes of a cursor, which is a path. Moves of directories can make an existing path longer than a path that a
     * request may name.
     */
    private static final int MAX_BYTES = 1 << 20;

    private static final char OF_HASH = '/';
    private static final char SEPARATOR = '/';

    static TreeCursor of(ByteString cursor) throws Refused {
        if (cursor.isEmpty()) {
            return new TreeCursor(0, List.of(), false);
        }
        if (cursor.size() > MAX_BYTES) {
            throw new Refused(FsError.INVALID_ARGUMENT, "cursor of " + cursor.size() + " bytes");
        }
        String text = cursor.toString(StandardCharsets.UTF_8);
        if (text.charAt(0) == OF_HASH) {
            return new TreeCursor(hash(text), List.of(), false);
        }
        boolean isMarked = text.charAt(text.length() - 1) == SEPARATOR;
        List<String> names = names(isMarked ? text.substring(0, text.length() - 1) : text);
        return new TreeCursor(NameHash.of(names.get(0)), names, isMarked);
    }

    private static long hash(String text) throws Refused {
        try {
            if (text.length() != 1 + 2 * Long.BYTES) {
                throw new IllegalArgumentException("of another length");
            }
            return HexFormat.fromHexDigitsToLong(text, 1, text.length());
        } catch (IllegalArgumentException e) {
            throw new Refused(FsError.INVALID_ARGUMENT, "cursor of " + text.length() + " bytes that is no hash");
        }
    }

    private static List<String> names(String path) {
        List<String> names = new ArrayList<>();
        int from = 0;
        for (int slash = path.indexOf(SEPARATOR); slash >= 0; slash = path.indexOf(SEPARATOR, from)) {
            names.add(path.substring(from, slash));
            from = slash + 1;
        }
        names.add(path.substring(from));
        return names;
    }

    /** The encoded cursor behind an entry. */
    static ByteString behind(String path, boolean isMarked) {
        return ByteString.copyFromUtf8(isMarked ? path + SEPARATOR : path);
    }

    /**
     * The encoded cursor at the same place, of a listing that begins at a directory on the way.
     *
     * @param depth number of names that lead to that directory; empty if all do
     */
    ByteString below(int depth) {
        return depth == names.size()
                ? ByteString.EMPTY
                : behind(String.join("/", names.subList(depth, names.size())), isMarked);
    }

    /** The encoded cursor behind all of the partition; empty if it is the last one. */
    static ByteString behind(ListedPart part) {
        OptionalLong next = part.nextHash();
        return next.isEmpty()
                ? ByteString.EMPTY
                : ByteString.copyFromUtf8(OF_HASH + HexFormat.of().toHexDigits(next.getAsLong()));
    }
}
