package io.steadfs.cluster;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of a session for people, logs and messages. The session id itself proves to servers that a request belongs to the session, so it
 * is shown to nobody. The name is the first four bytes of the id's SHA-256. It is the same at client and servers, so that log lines can be
 * matched. It does not help to find the id, since four billion ids have the same name.
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
