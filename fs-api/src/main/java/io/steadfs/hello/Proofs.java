package io.steadfs.hello;

import io.steadfs.wire.proto.Hello;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * Builds the bytes of the proofs by which two servers show each other that they know the cluster secret. A proof is the
 * HMAC-SHA256 of the following bytes, with a key of the secret:
 *
 * <pre>
 *   label           "steadfs hello opener" or "steadfs hello answerer": who of the two proves
 *   protocol        4 bytes
 *   file system     length, UTF-8
 *   opener          role, id: 4 bytes each
 *   answerer        role, id
 *   challenges      that of the opener, that of the answerer: length, 32 bytes
 * </pre>
 *
 * Numbers and lengths are 4 bytes, big-endian. The label differs between opener and answerer, so nobody can use the
 * proof of one side for the other side. A proof covers the names of both servers, so a proof is not valid for other
 * servers. The challenges are new for each connection, so a proof is not valid for another connection.
 */
final class Proofs {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Proofs() {}

    static byte[] challenge() {
        byte[] challenge = new byte[ClusterSecret.BYTES];
        RANDOM.nextBytes(challenge);
        return challenge;
    }

    /** The bytes that the opener's proof covers. */
    static byte[] ofOpener(Hello opener, Hello answerer) {
        return what("steadfs hello opener", opener, answerer);
    }

    /** The bytes that the answerer's proof covers. */
    static byte[] ofAnswerer(Hello opener, Hello answerer) {
        return what("steadfs hello answerer", opener, answerer);
    }

    private static byte[] what(String label, Hello opener, Hello answerer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            put(out, label.getBytes(StandardCharsets.UTF_8));
            out.writeInt(opener.getProtocol());
            put(out, opener.getFileSystem().getBytes(StandardCharsets.UTF_8));
            put(out, opener.getServer());
            put(out, answerer.getServer());
            put(out, opener.getChallenge().toByteArray());
            put(out, answerer.getChallenge().toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void put(DataOutputStream out, byte[] part) throws IOException {
        out.writeInt(part.length);
        out.write(part);
    }

    private static void put(DataOutputStream out, Hello.Server server) throws IOException {
        out.writeInt(server.getRoleValue());
        out.writeInt(server.getId());
    }
}
