package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.pipeline.PrincipalName;
import java.util.Optional;

/**
 * Checks POSIX permission bits by the rules of HDFS. For the owner, only the owner's bits count. For another member of
 * the group, only the group's bits count. For everybody else, only the bits for others count. The superuser passes
 * every check.
 */
public final class Permissions {
    public static final int READ = 4;
    public static final int WRITE = 2;
    public static final int EXECUTE = 1;

    /**
     * The sticky bit of a directory. In a sticky directory, only the owner of an entry or the owner of the directory
     * may remove or rename the entry.
     */
    static final int STICKY = 01000;
    /** All bits that a mode may have. */
    static final int ALL_BITS = 01777;

    private Permissions() {}

    /** Whether the caller has all permission bits in {@code wanted}. */
    static boolean allow(Principal principal, int mode, String owner, String group, int wanted) {
        if (principal.superuser()) {
            return true;
        }
        int bits =
                principal.user().equals(owner) ? mode >> 6 : principal.groups().contains(group) ? mode >> 3 : mode;
        return (bits & wanted) == wanted;
    }

    static boolean allow(Principal principal, DirectoryRow row, int wanted) {
        return principal.superuser() || allow(principal, row.getMode(), row.getOwner(), row.getGroup(), wanted);
    }

    /** @param what what the caller wants to do, for the message of a refusal */
    public static void checkSuperuser(Principal principal, String what) throws Refused {
        if (!principal.superuser()) {
            throw new Refused(FsError.PERMISSION_DENIED, "user " + principal.user() + " may not " + what);
        }
    }

    static boolean ownerOrSuperuser(Principal principal, String owner) {
        return principal.superuser() || principal.user().equals(owner);
    }

    /**
     * Whether the sticky bit of the directory limits the caller to the caller's own entries. The sticky bit does not
     * limit the superuser or the owner of the directory.
     */
    public static boolean stickyMatters(Principal principal, DirectoryRow parent) {
        return stickyMatters(principal, parent.getMode(), parent.getOwner());
    }

    public static boolean stickyMatters(Principal principal, Guarded parent) {
        return stickyMatters(principal, parent.mode(), parent.owner());
    }

    private static boolean stickyMatters(Principal principal, int mode, String owner) {
        return (mode & STICKY) != 0 && !ownerOrSuperuser(principal, owner);
    }

    /** @param what the object's path, for the message of a refusal */
    public static void require(Principal principal, Guarded object, int wanted, String what) throws Refused {
        if (!allow(principal, object.mode(), object.owner(), object.group(), wanted)) {
            throw denied(principal, wanted, what, object.mode(), object.owner(), object.group());
        }
    }

    /** Requires what a caller needs to list a directory and to look at its entries. */
    public static void requireListable(Principal principal, Guarded directory, String what) throws Refused {
        require(principal, directory, READ | EXECUTE, what);
    }

    public static void require(Principal principal, DirectoryRow row, int wanted, String what) throws Refused {
        if (!allow(principal, row, wanted)) {
            throw denied(principal, wanted, what, row.getMode(), row.getOwner(), row.getGroup());
        }
    }

    public static void requireOwner(Principal principal, Node node, String what) throws Refused {
        if (!ownerOrSuperuser(principal, node.owner())) {
            throw new Refused(
                    FsError.PERMISSION_DENIED,
                    "user " + principal.user() + " is not the owner " + node.owner() + " of " + what);
        }
    }

    public static Refused stickyDenied(Principal principal, String what) {
        return new Refused(
                FsError.PERMISSION_DENIED,
                "user " + principal.user() + " owns neither " + what + " nor its sticky parent directory");
    }

    private static Refused denied(Principal principal, int wanted, String what, int mode, String owner, String group) {
        String bits = ((wanted & READ) != 0 ? "r" : "-")
                + ((wanted & WRITE) != 0 ? "w" : "-")
                + ((wanted & EXECUTE) != 0 ? "x" : "-");
        return new Refused(
                FsError.PERMISSION_DENIED,
                "user " + principal.user() + " may not " + bits + " " + what + " (" + owner + ":" + group + " mode "
                        + Integer.toOctalString(mode) + ")");
    }

    /** @throws Refused NAME_TOO_LONG if the name of a user or group is too long */
    public static void checkPrincipal(String what, String name) throws Refused {
        Optional<String> tooLong = PrincipalName.tooLong(what, name);
        if (tooLong.isPresent()) {
            throw new Refused(FsError.NAME_TOO_LONG, tooLong.get());
        }
    }

    /** Refuses a mode that has bits other than the rwx bits and the sticky bit. */
    public static int checkMode(int mode) throws Refused {
        if ((mode & ~ALL_BITS) != 0) {
            throw new Refused(FsError.INVALID_ARGUMENT, "mode " + Integer.toOctalString(mode) + " is above 1777");
        }
        return mode;
    }
}
