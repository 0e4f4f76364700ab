package io.steadfs.cli.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The ways to create a file that this release has. In the numbers of messages, N is the number of columns, and L is the
 * number of handles in a lease. A column is one of the parts into which a file is divided. Each column has one
 * datafile.
 */
public enum Protocol {
    /**
     * One message creates the metafile and the dirent. The first write to a column creates the datafile of that column.
     * A create takes one step and one message.
     */
    UNIFIED,
    /**
     * First the client creates a metafile on a random shard. Then the client creates the datafiles of all columns, sets
     * the attributes, and creates the dirent. A create takes four steps and N + 3 messages.
     */
    BASECASE,
    /**
     * First the client gets a separate lease of one datafile for each column. Then the client creates a metafile on a
     * random shard. Finally, the client creates the dirent. A create takes three steps and N + 2 messages.
     */
    COMPOUND,
    /**
     * The client creates a metafile with leased handles on a random shard. At the same time, the client reserves these
     * handles. Then the client creates the dirent. A create takes two steps and N + 2 messages.
     */
    LEASED,
    /**
     * The client creates a metafile with leased datafiles on a random shard. Then the client creates the dirent. A
     * create takes two steps and 2 + N/L messages.
     */
    PRECREATED,
    /**
     * The client works as in {@link #UNIFIED}, but with leased datafiles for all columns. A create takes one step and 1
     * + N/L messages.
     */
    EAGER,
    /**
     * The client works as in {@link #UNIFIED}, but the shard adds datafiles for all columns from the shard's own
     * leases. A create takes one step and one message.
     */
    DELEGATED,
    /**
     * The client works as in {@link #EAGER}, but leases only handles. The first write to a column creates the datafile
     * of that column. A create takes one step and 1 + N/L messages.
     */
    LAZY;

    /**
     * @throws IllegalArgumentException if no protocol has this name. The message contains the text and all known names.
     */
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
     * Parses several names that are separated by commas.
     *
     * @throws IllegalArgumentException if a name is unknown or occurs twice. The message names the wrong name; for an
     * unknown name, the message also contains all known names.
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

    /** The client settings that select this protocol. */
    public Map<String, String> settings() {
        return this == EAGER
                ? Map.of("stead.create.protocol", UNIFIED.toString(), "stead.layout.eager", "true")
                : Map.of("stead.create.protocol", toString(), "stead.layout.eager", "false");
    }

    /**
     * Whether the protocol takes handles from leases that hold many handles. The number of handles in a lease then
     * changes the cost of a create.
     */
    public boolean takesLeasedHandles() {
        return this == LEASED || this == PRECREATED || this == EAGER || this == LAZY;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
