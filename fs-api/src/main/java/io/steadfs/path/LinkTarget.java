package io.steadfs.path;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The text of a symbolic link's target. It has one of these forms:
 *
 * <pre>
 *  /data/today            absolute path
 *  today, ../old/today    path from the directory of the link on
 *  scheme://host/path     URI, of this or another file system
 *  //host/path            URI without a scheme
 * </pre>
 *
 * Paths are resolved as text, as Hadoop does: the {@code ..} behind a name takes that name away, whatever it leads to.
 */
public final class LinkTarget {
    /** The largest number of links that a client follows for one path. */
    public static final int MOST_FOLLOWED = 40;

    private LinkTarget() {}

    /**
     * Returns the text if it can be a target.
     *
     * @throws FsException INVALID_ARGUMENT for an empty text or one with NUL; NAME_TOO_LONG above {@link
     *     FsPath#MAX_BYTES} bytes
     */
    public static String checked(String target) throws FsException {
        if (target.isEmpty() || target.indexOf('\0') >= 0) {
            throw new FsException(
                    FsError.INVALID_ARGUMENT,
                    target.isEmpty() ? "a symbolic link without a target" : "NUL in the target of a symbolic link");
        }
        int bytes = target.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > FsPath.MAX_BYTES) {
            throw new FsException(
                    FsError.NAME_TOO_LONG,
                    "target of a symbolic link of " + bytes + " bytes, at most " + FsPath.MAX_BYTES);
        }
        return target;
    }

    /** Whether the target is a path of the link's own file system. Otherwise it is a URI. */
    public static boolean isPath(String target) {
        int colon = target.indexOf(':');
        int slash = target.indexOf('/');
        boolean hasScheme = colon >= 0 && (slash < 0 || colon < slash);
        return !hasScheme && !target.startsWith("//");
    }

    /**
     * The path to which a link leads.
     *
     * @param link path of the link
     * @param target a path, see {@link #isPath}
     * @return a path that may be longer than its limits allow
     */
    public static FsPath from(FsPath link, String target) {
        List<String> names = new ArrayList<>();
        if (!target.startsWith("/")) {
            names.addAll(link.isRoot() ? List.of() : link.parent().components());
        }
        for (String name : Arrays.asList(target.split("/", -1))) {
            if (name.equals("..")) {
                if (!names.isEmpty()) {
                    names.remove(names.size() - 1);
                }
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.add(name);
            }
        }
        return new FsPath(names);
    }

    /**
     * The path on which a request goes on that met a link.
     *
     * @param asked the path with the link
     * @param met the link
     * @param target the path to which the link leads; that of its target, if the target is a path
     * @throws FsException as {@link FsPath#parse}
     */
    public static FsPath goOn(FsPath asked, LinkException met, String target) throws FsException {
        String leadsTo = from(link(asked, met), target).toString();
        return FsPath.parse(met.rest().isEmpty() ? leadsTo : (leadsTo.equals("/") ? "" : leadsTo) + "/" + met.rest());
    }

    /** The path of a link that a request met on its path. */
    public static FsPath link(FsPath asked, LinkException met) {
        int behind = met.rest().isEmpty() ? 0 : met.rest().split("/", -1).length;
        return new FsPath(asked.components().subList(0, Math.max(1, asked.depth() - behind)));
    }
}
