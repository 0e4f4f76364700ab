package io.steadfs.mds.pipeline;

import io.steadfs.config.ConfigKey;

/**
 * Whether a change of a directory's entries sets the directory's modification time (h-flat, section 3.5). A time that a
 * user sets is kept either way.
 */
public enum DirectoryTimes {
    EXACT,
    RELAXED;

    public static final ConfigKey<DirectoryTimes> CONFIGURED = new ConfigKey<>(
            "stead.directory.times",
            "exact",
            "",
            "Whether making, removing and renaming an entry sets the modification time of the directory: 'exact' sets"
                    + " it; 'relaxed' leaves it, so it is the time at which the directory was made, or that somebody"
                    + " set.",
            text -> switch (text) {
                case "exact" -> EXACT;
                case "relaxed" -> RELAXED;
                default -> throw new IllegalArgumentException("is neither 'exact' nor 'relaxed'");
            });

    /** Whether a change of an entry makes a modification time void that was set before. */
    public boolean isExact() {
        return this == EXACT;
    }

    /** The modification time of a directory after one of its entries has changed, in milliseconds since 1970. */
    public long afterChange(long oldMillis, long nowMillis) {
        return this == EXACT ? nowMillis : oldMillis;
    }
}
