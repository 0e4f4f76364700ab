package io.steadfs.mds.pipeline;

import io.steadfs.path.FsPath;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Limits the length of the names of users and groups. Every file and every directory has such names. A name has at most
 * {@value #MAX_BYTES} bytes of UTF-8, so that a page of a listing fits into a frame.
 */
public final class PrincipalName {
    public static final int MAX_BYTES = FsPath.MAX_NAME_BYTES;

    private static final int SHOWN_CHARS = 40;

    private PrincipalName() {}

    /**
     * Returns why the name cannot be stored; empty = the name can be stored.
     *
     * @param what the role of the name: user, owner or group
     */
    public static Optional<String> tooLong(String what, String name) {
        // No character takes more than three bytes; a pair of surrogates takes four.
        if (name.length() <= MAX_BYTES / 3) {
            return Optional.empty();
        }
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        return bytes <= MAX_BYTES
                ? Optional.empty()
                : Optional.of(what + " of " + bytes + " bytes, at most " + MAX_BYTES + ": '"
                        + name.substring(0, SHOWN_CHARS) + "...'");
    }
}
