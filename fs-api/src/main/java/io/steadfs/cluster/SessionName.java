package io.steadfs.cluster;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What people, logs and messages call a session. The id itself is what its user proves the session with, so it is told to
 * nobody. The name is the first four bytes of the id's SHA-256: the same at client and servers, so that lines can be
 * matched, and of no use to find the id, since four billion ids have the same name.
 */
public final class SessionName {
    private static final int BYTES = 4;

    private SessionName() {}

    /** Eight hexadecimal digits. */
    public static String of(long session) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(ByteBuffer.allocate(Long.BYTES).putLong(session).array());
            return HexFormat.of().formatHex(digest, 0, BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
