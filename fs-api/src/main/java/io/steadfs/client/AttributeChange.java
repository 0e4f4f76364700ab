package io.steadfs.client;

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
 */
public record AttributeChange(
        OptionalInt mode,
        Optional<String> owner,
        Optional<String> group,
        OptionalLong modificationTime,
        OptionalLong accessTime,
        OptionalInt replication) {

    private static final AttributeChange NONE = new AttributeChange(
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalInt.empty());

    public static AttributeChange mode(int mode) {
        return new AttributeChange(
                OptionalInt.of(mode), NONE.owner, NONE.group, NONE.modificationTime, NONE.accessTime, NONE.replication);
    }

    public static AttributeChange owner(Optional<String> owner, Optional<String> group) {
        return new AttributeChange(NONE.mode, owner, group, NONE.modificationTime, NONE.accessTime, NONE.replication);
    }

    public static AttributeChange times(OptionalLong modificationTime, OptionalLong accessTime) {
        return new AttributeChange(NONE.mode, NONE.owner, NONE.group, modificationTime, accessTime, NONE.replication);
    }

    public static AttributeChange replication(int copies) {
        return new AttributeChange(
                NONE.mode, NONE.owner, NONE.group, NONE.modificationTime, NONE.accessTime, OptionalInt.of(copies));
    }
}
