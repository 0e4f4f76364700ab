package io.steadfs.wire;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import java.util.List;
import java.util.Optional;

/**
 * Limits the length of each part of a frame, in bytes. A receiver checks the announced lengths before it allocates
 * memory. A sender checks the lengths before it encodes the frame.
 */
public record FrameLimits(int headerBytes, int bodyBytes, int payloadBytes) {
    public static final ConfigKey<Long> MAX_HEADER = ConfigKey.number(
            "stead.rpc.max.header", 64 << 10, 1 << 10, 1 << 20, "bytes", "Most bytes of a message's protobuf header.");
    public static final ConfigKey<Long> MAX_BODY = ConfigKey.number(
            "stead.rpc.max.body", 8 << 20, 64 << 10, 256 << 20, "bytes", "Most bytes of a message's protobuf body.");
    public static final ConfigKey<Long> MAX_PAYLOAD = ConfigKey.number(
            "stead.rpc.max.payload",
            16 << 20,
            64 << 10,
            1 << 30,
            "bytes",
            "Most bytes of file data in one message. A client and its servers need the same value.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(MAX_HEADER, MAX_BODY, MAX_PAYLOAD));

    public FrameLimits {
        if (headerBytes < 1 || bodyBytes < 0 || payloadBytes < 0) {
            throw new IllegalArgumentException(
                    "frame limits " + headerBytes + ", " + bodyBytes + ", " + payloadBytes + " are not lengths");
        }
    }

    public static FrameLimits from(Settings settings) {
        return new FrameLimits(
                settings.get(MAX_HEADER).intValue(),
                settings.get(MAX_BODY).intValue(),
                settings.get(MAX_PAYLOAD).intValue());
    }

    /**
     * Says in words which length is above its limit. Empty if every length is within its limit. Lengths are never
     * negative.
     */
    public Optional<String> problem(long headerLength, long bodyLength, long payloadLength) {
        if (headerLength > headerBytes) {
            return tooLong("header", headerLength, headerBytes, MAX_HEADER);
        }
        if (bodyLength > bodyBytes) {
            return tooLong("body", bodyLength, bodyBytes, MAX_BODY);
        }
        if (payloadLength > payloadBytes) {
            return tooLong("payload", payloadLength, payloadBytes, MAX_PAYLOAD);
        }
        return Optional.empty();
    }

    private static Optional<String> tooLong(String part, long length, int limit, ConfigKey<Long> key) {
        return Optional.of(part + " of " + length + " bytes is above the limit of " + limit + " (" + key.name() + ")");
    }
}
