package io.steadfs.cli.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Ways to create a file that this release knows. */
public enum Protocol {
    /** One message makes metafile and dirent; the first write to each column makes its datafile. */
    UNIFIED,
    /** Metafile on a random shard, datafiles of all columns, attributes, dirent: four steps, N + 3 messages. */
    BASECASE,
    /** Datafiles of all columns, each a lease, metafile on a random shard, dirent: three steps, N + 2 messages. */
    COMPOUND,
    /** Leased handles reserved at the same time as a metafile is made on a random shard, dirent: two steps, N + 2 messages. */
    LEASED,
    /** Metafile on a random shard with leased datafiles, dirent: two steps, 2 + N/L messages. */
    PRECREATED,
    /** Unified, with leased datafiles for all columns: one step, 1 + N/L messages. */
    EAGER,
    /** Unified, with datafiles for all columns that the shard leased: one step, one message. */
    DELEGATED,
    /** Eager, but with leased handles whose datafiles are made by first writes: one step, 1 + N/L messages. */
    LAZY;

    /** @throws IllegalArgumentException naming the text and the known ones */
    public static Protocol parse(String text) {
        for (Protocol protocol : values()) {
            if (protocol.toString().equals(text)) {
                return protocol;
            }
        }
        throw new IllegalArgumentException("unknown create protocol '" + text + "'; this release has: "
                + Arrays.stream(values()).map(Protocol::toString).collect(Collectors.joining(", ")));
    }

    /**
     * Parses several names, separated by commas.
     *
     * @throws IllegalArgumentException naming the text and the known ones, or the one that is there twice
     */
    public static List<Protocol> parseAll(String text) {
        List<Protocol> protocols = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            Protocol protocol = parse(name);
            if (protocols.contains(protocol)) {
                throw new IllegalArgumentException("create protocol '" + protocol + "' is there twice");
            }
            protocols.add(protocol);
        }
        return protocols;
    }

    /** The client settings that select it. */
    public Map<String, String> settings() {
        return this == EAGER
                ? Map.of("stead.create.protocol", UNIFIED.toString(), "stead.layout.eager", "true")
                : Map.of("stead.create.protocol", toString(), "stead.layout.eager", "false");
    }

    /** Whether it takes handles from leases of many. If so, the number of handles in a lease changes the cost of a create. */
    public boolean takesLeasedHandles() {
        return this == LEASED || this == PRECREATED || this == EAGER || this == LAZY;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
