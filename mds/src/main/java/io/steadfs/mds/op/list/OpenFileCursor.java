package io.steadfs.mds.op.list;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.session.OpenFiles;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes and reads the cursors by which clients list open files page by page. The list is in the order of session ids,
 * and no client may learn a session id. So a cursor is encrypted with a key that this process makes at its start:
 *
 * <pre>
 * +----------+---------------------------------------+--------+
 * | nonce 12 | sealed: session 8, metafile 8         | tag 16 |
 * +----------+---------------------------------------+--------+
 * </pre>
 */
final class OpenFileCursor {
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY = 16;
    private static final int BYTES = NONCE + 2 * Long.BYTES + TAG_BITS / 8;

    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec key;

    OpenFileCursor() {
        byte[] bytes = new byte[KEY];
        random.nextBytes(bytes);
        key = new SecretKeySpec(bytes, "AES");
    }

    ByteString of(OpenFiles.Place place) {
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        byte[] plain = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(place.session())
                .putLong(place.metafile().value())
                .array();
        try {
            return ByteString.copyFrom(nonce)
                    .concat(ByteString.copyFrom(
                            cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(plain)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a cursor cannot be sealed", e);
        }
    }

    /** @throws Refused if this process did not make the cursor */
    Optional<OpenFiles.Place> place(ByteString cursor) throws Refused {
        if (cursor.isEmpty()) {
            return Optional.empty();
        }
        if (cursor.size() != BYTES) {
            throw foreign();
        }
        byte[] nonce = cursor.substring(0, NONCE).toByteArray();
        byte[] sealed = cursor.substring(NONCE).toByteArray();
        try {
            ByteBuffer plain =
                    ByteBuffer.wrap(cipher(Cipher.DECRYPT_MODE, nonce).doFinal(sealed));
            return Optional.of(new OpenFiles.Place(plain.getLong(), new Handle(plain.getLong())));
        } catch (GeneralSecurityException e) {
            throw foreign();
        }
    }

    private static Refused foreign() {
        return new Refused(
                FsError.INVALID_ARGUMENT, "this server made no such cursor since its start: list from the beginning");
    }

    private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }
}
