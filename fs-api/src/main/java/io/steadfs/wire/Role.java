package io.steadfs.wire;

import java.util.Locale;

/** The role in which a process opens a connection. */
public enum Role {
    /** A process that works with files for a user. */
    CLIENT,
    /** A client that also inspects servers and repairs the servers' data. */
    ADMIN,
    /** A server of the same file system. It has proven that it knows the cluster secret. */
    SERVER;

    /** Name of the role for use within a sentence. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
