package io.steadfs.hello;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that only the servers of a file system know. The secret consists of one or two keys of {@value #BYTES}
 * random bytes. A server makes its proofs with the first key. A server accepts proofs with any of the keys, so that
 * operators can change the secret while servers run. No key leaves this object.
 */
public final class ClusterSecret {
    /** Length of a key, of a challenge and of a proof, in bytes. */
    public static final int BYTES = 32;

    public static final int MOST_KEYS = 2;

    private final List<Key> keys;

    /** One key of the secret. Makes proofs by HMAC-SHA256. */
    static final class Key {
        private final SecretKeySpec bytes;

        private Key(byte[] key) {
            this.bytes = new SecretKeySpec(key, "HmacSHA256");
        }

        byte[] prove(byte[] what) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(bytes);
                return mac.doFinal(what);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java has HmacSHA256", e);
            }
        }
    }

    /**
     * @param keys one key of {@value #BYTES} bytes; or {@value #MOST_KEYS} keys while the secret is being changed
     * @throws IllegalArgumentException if the number of keys or a length is wrong; the message names the wrong number
     */
    public ClusterSecret(List<byte[]> keys) {
        if (keys.isEmpty() || keys.size() > MOST_KEYS) {
            throw new IllegalArgumentException("a cluster secret of " + keys.size() + " keys, not 1 or " + MOST_KEYS);
        }
        for (byte[] key : keys) {
            if (key.length != BYTES) {
                throw new IllegalArgumentException("a key of " + key.length + " bytes, not " + BYTES);
            }
        }
        this.keys = keys.stream().map(Key::new).toList();
    }

    Key first() {
        return keys.get(0);
    }

    /**
     * The key with which the proof was made; empty if the proof is wrong. The duration of the comparison does not
     * reveal how much of the proof is right.
     */
    Optional<Key> proven(byte[] what, byte[] proof) {
        Optional<Key> found = Optional.empty();
        for (Key key : keys) {
            if (MessageDigest.isEqual(key.prove(what), proof)) {
                found = Optional.of(key);
            }
        }
        return found;
    }

    /** A proof, of {@value #BYTES} bytes, that a server with this secret has said what the bytes say. */
    public byte[] prove(byte[] what) {
        return first().prove(what);
    }

    /** Whether the proof was made by {@link #prove} of the same bytes, with any of the keys. */
    public boolean isProven(byte[] what, byte[] proof) {
        return proven(what, proof).isPresent();
    }

    /**
     * Passwords for the given purpose, one for each key. A password reveals neither its key nor the passwords for other
     * purposes.
     */
    public List<String> passwords(String purpose) {
        byte[] text = ("steadfs password for " + purpose).getBytes(StandardCharsets.UTF_8);
        return keys.stream()
                .map(key -> HexFormat.of().formatHex(key.prove(text)))
                .toList();
    }

    /** The text contains the number of keys but no key. */
    @Override
    public String toString() {
        return "cluster secret of " + keys.size() + " key(s)";
    }
}
