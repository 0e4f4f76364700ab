package io.steadfs.path;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path below a directory, as a list of checked components. The client checks paths so that callers get errors early.
 * The server makes the same checks again, because it does not trust clients.
 *
 * @param components names of the path, each without '/' and not empty; an empty list means the directory itself
 */
public record FsPath(List<String> components) {
    /** Largest length of one component, in bytes of UTF-8. */
    public static final int MAX_NAME_BYTES = 255;
    /** Largest number of components of one path. */
    public static final int MAX_DEPTH = 1000;
    /**
     * Largest length of one path, in bytes of UTF-8. The slashes between components count too. The header of a frame
     * has room for several paths of this length.
     */
    public static final int MAX_BYTES = 8000;

    public static final FsPath ROOT = new FsPath(List.of());

    public FsPath {
        components = List.copyOf(components);
    }

    /**
     * Splits a text at each '/' into components. A leading slash is allowed and has no meaning.
     *
     * @throws FsException {@code INVALID_ARGUMENT} if a component is empty, '.' or '..', contains NUL, or has no UTF-8
     *     form (half a surrogate pair); {@code NAME_TOO_LONG} if a component or the path is above its limit
     */
    public static FsPath parse(String text) throws FsException {
        int from = text.startsWith("/") ? 1 : 0;
        if (from == text.length()) {
            return ROOT;
        }
        List<String> components = new ArrayList<>();
        int bytes = -1;
        while (from <= text.length()) {
            int slash = text.indexOf('/', from);
            int to = slash < 0 ? text.length() : slash;
            if (components.size() == MAX_DEPTH) {
                throw new FsException(
                        FsError.NAME_TOO_LONG,
                        "path has more than " + MAX_DEPTH + " components: '" + shorten(text) + "'");
            }
            String name = text.substring(from, to);
            bytes += 1 + checkedLength(name, text);
            components.add(name);
            from = to + 1;
        }
        if (bytes > MAX_BYTES) {
            throw new FsException(
                    FsError.NAME_TOO_LONG,
                    "path of " + bytes + " bytes, at most " + MAX_BYTES + ": '" + shorten(text) + "'");
        }
        return new FsPath(components);
    }

    /** Checks one name as {@link #parse} checks a component. */
    public static String checkName(String name, String path) throws FsException {
        checkedLength(name, path);
        return name;
    }

    /** Length of a name in bytes of UTF-8. Throws if the name is not valid. */
    private static int checkedLength(String name, String path) throws FsException {
        if (name.isEmpty()) {
            throw new FsException(FsError.INVALID_ARGUMENT, "empty component in path '" + shorten(path) + "'");
        }
        if (name.equals(".") || name.equals("..")) {
            throw new FsException(FsError.INVALID_ARGUMENT, "component '" + name + "' in path '" + shorten(path) + "'");
        }
        if (name.indexOf('\0') >= 0 || name.indexOf('/') >= 0) {
            throw new FsException(
                    FsError.INVALID_ARGUMENT, "NUL or '/' in a component of path '" + shorten(path) + "'");
        }
        int bytes = utf8Length(name, path);
        if (bytes > MAX_NAME_BYTES) {
            throw new FsException(
                    FsError.NAME_TOO_LONG,
                    "component of " + bytes + " bytes, at most " + MAX_NAME_BYTES + ": '" + shorten(name) + "'");
        }
        return bytes;
    }

    private static int utf8Length(String name, String path) throws FsException {
        boolean ascii = true;
        for (int i = 0; i < name.length() && ascii; i++) {
            ascii = name.charAt(i) < 0x80;
        }
        if (ascii) {
            return name.length();
        }
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
            return encoded.remaining();
        } catch (CharacterCodingException e) {
            throw new FsException(
                    FsError.INVALID_ARGUMENT, "component without a UTF-8 form in path '" + shorten(path) + "'", e);
        }
    }

    private static String shorten(String text) {
        return text.length() <= 300 ? text : text.substring(0, 300) + "... (" + text.length() + " characters)";
    }

    public boolean isRoot() {
        return components.isEmpty();
    }

    public int depth() {
        return components.size();
    }

    /**
     * Last component of the path.
     *
     * @throws IllegalStateException for the root
     */
    public String name() {
        if (isRoot()) {
            throw new IllegalStateException("the root has no name");
        }
        return components.get(components.size() - 1);
    }

    /** @throws IllegalStateException for the root */
    public FsPath parent() {
        if (isRoot()) {
            throw new IllegalStateException("the root has no parent");
        }
        return new FsPath(components.subList(0, components.size() - 1));
    }

    /** This path with one more component at its end. The caller must have checked the component. */
    public FsPath child(String name) {
        List<String> longer = new ArrayList<>(components);
        longer.add(name);
        return new FsPath(longer);
    }

    /** Whether the other path is equal to this path or is below this path. Whole components are compared. */
    public boolean covers(FsPath other) {
        return other.depth() >= depth() && other.components.subList(0, depth()).equals(components);
    }

    /** The components joined by '/', without a leading slash. The field {@code Location.path} has this form. */
    public String relative() {
        return String.join("/", components);
    }

    // Equal as any record is. But a new process takes milliseconds to make what a record compares itself with.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FsPath path && components.equals(path.components);
    }

    @Override
    public int hashCode() {
        return components.hashCode();
    }

    @Override
    public String toString() {
        return "/" + relative();
    }
}
