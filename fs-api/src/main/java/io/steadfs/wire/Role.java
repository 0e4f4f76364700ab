package io.steadfs.wire;

import java.util.Locale;

/** The role in which a process opens a connection. */
public enum Role {
    /** Works with files for a user. */
    CLIENT,
    /** A client that also looks into servers and mends what they hold. */
    ADMIN,
    /** A server of the same file system; it has proven the cluster secret. */
    SERVER;

    /** In words of a sentence. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
