package io.steadfs.client;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Which attributes to set; the empty ones stay. */
public record AttributeChange(
        OptionalInt mode,
        Optional<String> owner,
        Optional<String> group,
        OptionalLong modificationTime,
        OptionalLong accessTime) {

    public static AttributeChange mode(int mode) {
        return new AttributeChange(
                OptionalInt.of(mode), Optional.empty(), Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
    }

    public static AttributeChange owner(Optional<String> owner, Optional<String> group) {
        return new AttributeChange(OptionalInt.empty(), owner, group, OptionalLong.empty(), OptionalLong.empty());
    }

    public static AttributeChange times(OptionalLong modificationTime, OptionalLong accessTime) {
        return new AttributeChange(
                OptionalInt.empty(), Optional.empty(), Optional.empty(), modificationTime, accessTime);
    }
}
