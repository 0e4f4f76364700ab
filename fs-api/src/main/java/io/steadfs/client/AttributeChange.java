package io.steadfs.client;

import io.steadfs.client.list.FileInfo;
import io.steadfs.handle.Handle;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The new values of attributes that a request sets. An attribute without a new value stays as it is.
 *
 * @param mode permission bits and the sticky bit
 * @param modificationTime milliseconds since 1970
 * @param accessTime milliseconds since 1970
 * @param replication wanted number of copies of a file, 1 to 512; empty for a directory
 * @param expected object and version of its attributes that there must be, else nothing is set; empty = any
 *     (test-and-set: H-flat, section 3.4)
 */
public record AttributeChange(
        OptionalInt mode,
        Optional<String> owner,
        Optional<String> group,
        OptionalLong modificationTime,
        OptionalLong accessTime,
        OptionalInt replication,
        Optional<Expected> expected) {
    /** What was seen at the path before. */
    public record Expected(Handle handle, long version) {}

    private static final AttributeChange NONE = new AttributeChange(
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalInt.empty(),
            Optional.empty());

    public static AttributeChange mode(int mode) {
        return new AttributeChange(
                OptionalInt.of(mode),
                NONE.owner,
                NONE.group,
                NONE.modificationTime,
                NONE.accessTime,
                NONE.replication,
                NONE.expected);
    }

    public static AttributeChange owner(Optional<String> owner, Optional<String> group) {
        return new AttributeChange(
                NONE.mode, owner, group, NONE.modificationTime, NONE.accessTime, NONE.replication, NONE.expected);
    }

    public static AttributeChange times(OptionalLong modificationTime, OptionalLong accessTime) {
        return new AttributeChange(
                NONE.mode, NONE.owner, NONE.group, modificationTime, accessTime, NONE.replication, NONE.expected);
    }

    public static AttributeChange replication(int copies) {
        return new AttributeChange(
                NONE.mode,
                NONE.owner,
                NONE.group,
                NONE.modificationTime,
                NONE.accessTime,
                OptionalInt.of(copies),
                NONE.expected);
    }

    /** The same change, but only if the object that was seen is still there, and its attributes still have that version. */
    public AttributeChange expecting(FileInfo seen) {
        return new AttributeChange(
                mode,
                owner,
                group,
                modificationTime,
                accessTime,
                replication,
                Optional.of(new Expected(seen.handle(), seen.version())));
    }
}
