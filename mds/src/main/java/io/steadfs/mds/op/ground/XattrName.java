package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.path.FsPath;
import java.nio.charset.StandardCharsets;

/**
 * Rules for names of extended attributes. Each name must begin with one of five namespaces. Names in {@code user.} are
 * for everybody who may read or write the object. Names in {@code trusted.} are for the superuser. Names in
 * {@code system.}, {@code security.} and {@code raw.} are refused because they have no meaning here.
 */
public final class XattrName {
    /** The largest number of bytes of the name of an extended attribute, including the namespace. */
    static final int MAX_BYTES = FsPath.MAX_NAME_BYTES;

    private static final String USER = "user.";
    private static final String TRUSTED = "trusted.";

    private XattrName() {}

    public static void check(String name) throws Refused {
        check(name, MAX_BYTES);
    }

    /** @param most greatest length of the name in bytes; at most {@link #MAX_BYTES} */
    public static void check(String name, int most) throws Refused {
        int dot = name.indexOf('.');
        boolean known = name.startsWith(USER)
                || name.startsWith(TRUSTED)
                || name.startsWith("system.")
                || name.startsWith("security.")
                || name.startsWith("raw.");
        if (!known || dot == name.length() - 1 || name.indexOf('\0') >= 0) {
            throw new Refused(FsError.INVALID_ARGUMENT, "xattr name '" + name + "' is not <namespace>.<name>");
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > most) {
            throw new Refused(
                    FsError.NAME_TOO_LONG, "xattr name of " + bytes + " bytes, at most " + most + ": " + name);
        }
    }

    /** Whether the caller may see the attribute, judged by the namespace of its name. */
    public static boolean isVisible(Principal principal, String name) {
        return name.startsWith(USER) || (name.startsWith(TRUSTED) && principal.superuser());
    }

    public static void requireVisible(Principal principal, String name) throws Refused {
        if (!isVisible(principal, name)) {
            throw new Refused(FsError.PERMISSION_DENIED, "user " + principal.user() + " may not use xattr " + name);
        }
    }

    /**
     * Requires that the caller may set or remove attributes of the object. Usually the caller needs write permission on
     * the object. For a directory with the sticky bit, the caller must be the owner of the directory instead.
     */
    public static void requireChange(Principal principal, Node node, String what) throws Refused {
        if (node instanceof DirectoryNode && (node.mode() & Permissions.STICKY) != 0) {
            Permissions.requireOwner(principal, node, what);
        } else {
            Permissions.require(principal, node, Permissions.WRITE, what);
        }
    }
}
