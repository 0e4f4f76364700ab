package io.steadfs.cluster;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Makes the name of a session for logs and messages. The session id itself must stay secret, because the id proves to
 * servers that a request belongs to the session. The name is the first four bytes of the id's SHA-256. Client and
 * servers compute the same name, so that their log lines can be matched. The name does not reveal the id, because about
 * four billion ids have the same name.
 */
public final class SessionName {
    private static final int BYTES = 4;

    private SessionName() {}

    /** The name of the session with this id: eight hexadecimal digits. */
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
