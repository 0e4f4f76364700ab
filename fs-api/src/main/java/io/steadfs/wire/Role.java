package io.steadfs.wire;

import java.util.Locale;

/** The role in which a process opens a connection. */
public enum Role {
    /** Works with files for a user. */
    CLIENT,
    /** A client that also inspects servers and repairs their data. */
    ADMIN,
    /** A server of the same file system, which has proven that it knows the cluster secret. */
    SERVER;

    /** In the words of a sentence. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
