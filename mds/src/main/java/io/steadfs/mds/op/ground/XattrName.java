package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.path.FsPath;
import java.nio.charset.StandardCharsets;

/**
 * The rules for names of extended attributes. {@code user.} is for everybody who may read or write the object, {@code
 * trusted.} for the superuser. {@code system.}, {@code security.} and {@code raw.} have no meaning here and are refused. A
 * name without one of these namespaces is not valid.
 */
public final class XattrName {
    /** Most bytes of a name, including its namespace. */
    static final int MAX_BYTES = FsPath.MAX_NAME_BYTES;

    private static final String USER = "user.";
    private static final String TRUSTED = "trusted.";

    private XattrName() {}

    public static void check(String name) throws Refused {
        check(name, MAX_BYTES);
    }

    /** @param most limit in bytes, at most {@link #MAX_BYTES} */
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

    /** Whether the caller may know at all of attributes in the namespace of this name. */
    public static boolean isVisible(Principal principal, String name) {
        return name.startsWith(USER) || (name.startsWith(TRUSTED) && principal.superuser());
    }

    public static void requireVisible(Principal principal, String name) throws Refused {
        if (!isVisible(principal, name)) {
            throw new Refused(FsError.PERMISSION_DENIED, "user " + principal.user() + " may not use xattr " + name);
        }
    }

    /**
     * Requires that the caller may set or remove the attribute: callers who may write the object. For a sticky directory
     * itself, only its owner may.
     */
    public static void requireChange(Principal principal, Node node, String what) throws Refused {
        if (node instanceof DirectoryNode && (node.mode() & Permissions.STICKY) != 0) {
            Permissions.requireOwner(principal, node, what);
        } else {
            Permissions.require(principal, node, Permissions.WRITE, what);
        }
    }
}
