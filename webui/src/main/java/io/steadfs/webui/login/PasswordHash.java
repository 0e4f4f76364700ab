package io.steadfs.webui.login;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * The stored form of a password: PBKDF2 with HMAC-SHA-256 (RFC 8018, section 5.2).
 *
 * @param salt 16 bytes, hexadecimal
 * @param hash 32 bytes, hexadecimal
 */
record PasswordHash(String salt, int rounds, String hash) {
    private static final String ALGORITHM = "PBKDF2WithHmacSHA256";
    private static final int ROUNDS = 600_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BITS = 256;
    private static final HexFormat HEX = HexFormat.of();

    static PasswordHash of(String password, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new PasswordHash(HEX.formatHex(salt), ROUNDS, HEX.formatHex(hash(password, salt, ROUNDS)));
    }

    /**
     * Compares the password with the hash. The comparison takes equally long for a right password and a wrong password.
     */
    boolean isOf(String password) {
        return MessageDigest.isEqual(HEX.parseHex(hash), hash(password, HEX.parseHex(salt), rounds));
    }

    private static byte[] hash(String password, byte[] salt, int rounds) {
        try {
            return SecretKeyFactory.getInstance(ALGORITHM)
                    .generateSecret(new PBEKeySpec(password.toCharArray(), salt, rounds, HASH_BITS))
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }
}
