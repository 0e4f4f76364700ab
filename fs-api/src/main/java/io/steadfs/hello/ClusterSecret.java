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
 * The secret that only the servers of a file system know: keys of {@value #BYTES} random bytes. The first key is used for proofs. All keys
 * are accepted, so that a secret can be changed while servers serve. No key leaves this object.
 */
public final class ClusterSecret {
    /** Length of a key, a challenge and a proof. */
    public static final int BYTES = 32;

    public static final int MOST_KEYS = 2;

    private final List<Key> keys;

    /** One key, which makes proofs by HMAC-SHA256. */
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
     * @param keys one, or {@value #MOST_KEYS} while it is changed; each of {@value #BYTES} bytes
     * @throws IllegalArgumentException naming the number of keys or the length that is wrong
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

    /** The key by which the proof was made. The time of the comparison does not reveal how much of the proof is right. */
    Optional<Key> proven(byte[] what, byte[] proof) {
        Optional<Key> found = Optional.empty();
        for (Key key : keys) {
            if (MessageDigest.isEqual(key.prove(what), proof)) {
                found = Optional.of(key);
            }
        }
        return found;
    }

    /** A password for another purpose, one for each key. It reveals neither the key nor the password of another purpose. */
    public List<String> passwords(String purpose) {
        byte[] text = ("steadfs password for " + purpose).getBytes(StandardCharsets.UTF_8);
        return keys.stream()
                .map(key -> HexFormat.of().formatHex(key.prove(text)))
                .toList();
    }

    /** The text does not contain the keys. */
    @Override
    public String toString() {
        return "cluster secret of " + keys.size() + " key(s)";
    }
}
