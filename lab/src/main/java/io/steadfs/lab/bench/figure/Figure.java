package io.steadfs.lab.bench.figure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The experiments that are repeated here. A number is that of a figure of section 5 of "File Creation Strategies in a
 * Distributed Metadata File System"; h and a number is a figure of section 5 of the paper that describes h-flat, s and a
 * number one of section 6 of the paper that describes SkyeFS.
 */
enum Figure {
    /** The latency of a create, depending on the number of IO servers. */
    LATENCY("6", "IO servers", "Mean latency of a create", "microseconds", "1,2,4,8,12,16,20,26"),
    /** The rate of creates, depending on the number of clients. */
    CLIENTS("7", "clients", "Creates in one directory", "creates/second", "1,2,4,8,14,16,20,24"),
    /** The rate of creates, depending on the number of metadata shards. */
    SHARDS("8", "shards", "Work in many directories", "operations/second", "1,2,3,4,6,8,12"),
    /** The rate of creates and stats in deep directories by both lookups, depending on the number of shards. */
    LOOKUP("lookup", "shards", "Work in deep directories of each client", "operations/second", "1,2,4,8,12"),
    /**
     * The rate at which large files are written, depending on the number of servers of both sorts: each part that is made
     * durable is a commit of an IO server, and one of a shard for the length.
     */
    STREAMS("h5", "servers of each sort", "Writes to large files", "MiB/second", "1,2,4,8,12"),
    /** The rate of creates with a small write each, depending on the number of servers of both sorts. */
    SMALL_FILES(
            "h6", "servers of each sort", "Creates and small writes in many directories", "files/second", "1,2,4,8,12"),
    /** The rate of creates in one directory, depending on the number of servers of both sorts. */
    ONE_DIRECTORY("h7", "servers of each sort", "Creates in one directory", "creates/second", "1,2,4,8,12"),
    /** The rates for each server, with as many more clients as servers. */
    FOR_EACH_SERVER("h8", "servers of each sort", "Rate for each server", "of one server", "1,2,4,8,12"),
    /** The latency of a directory's rename, depending on the number of shards that may have copies of it. */
    RENAMES("renames", "shards", "Mean latency of a directory's rename", "microseconds", "1,3,12"),
    /** The rate of creates in one directory over time, while it splits. */
    GROWTH("s7", "shards", "Creates in one directory that grows", "creates/second", "1,3,12"),
    /** The time to list one directory, depending on its number of entries. */
    LISTING("s8", "shards", "Time to list one directory", "milliseconds", "1,3,12");

    /** Number of IO servers where the figure does not depend on it. */
    private static final int IO_SERVERS = 4;

    private static final List<Figure> OF_LOOKUP = List.of(LOOKUP, STREAMS, SMALL_FILES, ONE_DIRECTORY, FOR_EACH_SERVER);

    final String id;
    final String x;
    final String title;
    final String unit;
    private final String usualPoints;

    Figure(String id, String x, String title, String unit, String usualPoints) {
        this.id = id;
        this.x = x;
        this.title = title;
        this.unit = unit;
        this.usualPoints = usualPoints;
    }

    /** @throws IllegalArgumentException if this program does not repeat such a figure */
    static Figure of(String id) {
        for (Figure figure : values()) {
            if (figure.id.equals(id)) {
                return figure;
            }
        }
        throw new IllegalArgumentException("--figure " + id + " is none of " + ids());
    }

    static String ids() {
        return Arrays.stream(values()).map(figure -> figure.id).collect(Collectors.joining(", "));
    }

    /** The points from left to right that are measured if the user names no points. */
    List<Integer> usualPoints() {
        return Arrays.stream(usualPoints.split(",", -1)).map(Integer::valueOf).toList();
    }

    List<Work> usualWorks() {
        return switch (this) {
            case LATENCY, CLIENTS, SHARDS, ONE_DIRECTORY -> List.of(Work.CREATE);
            case LOOKUP -> List.of(Work.CREATE, Work.STAT);
            case STREAMS -> List.of(Work.WRITE);
            case SMALL_FILES -> List.of(Work.SMALL);
            case FOR_EACH_SERVER -> List.of(Work.SMALL, Work.CREATE, Work.STAT);
            case RENAMES -> List.of(Work.TASK, Work.KNOWN);
            case GROWTH, LISTING -> List.of();
        };
    }

    List<Lookup> usualLookups() {
        return this == LOOKUP ? List.of(Lookup.COMPONENT, Lookup.DIRECT) : List.of(Lookup.DIRECT);
    }

    /** Files, or parts of large files, of each client in a round. */
    int usualFiles() {
        return switch (this) {
            case LATENCY -> 50;
            case CLIENTS -> 120;
            default -> 20;
        };
    }

    int usualRounds() {
        return this == GROWTH ? 2 : 10;
    }

    /** Files or entries before anything is measured, until Java has compiled what it runs. */
    int usualRehearsal() {
        return switch (this) {
            // For each shard. A rate that rises while Java compiles looks like one that is steady and lower.
            case GROWTH -> 20_000;
            case LISTING -> 1_000_000;
            default -> 2_000;
        };
    }

    /** Number of names in the path of a directory in which files are. */
    int usualDepth() {
        return this == LOOKUP ? 4 : FigurePlan.LEAST_DEPTH;
    }

    /** Whether it is of the paper that describes h-flat, or about lookups as that paper has them. */
    boolean isOfLookup() {
        return OF_LOOKUP.contains(this);
    }

    /** Whether it is of the paper that describes SkyeFS. These figures have no works, and plans of their own. */
    boolean isOfSkyeFs() {
        return this == GROWTH || this == LISTING;
    }

    /** Whether each sample is the time of one operation; else it is the rate of a round. */
    boolean isOfLatency() {
        return this == LATENCY || this == RENAMES;
    }

    /**
     * Whether the rehearsal at the first point is not enough. With one shard nothing goes between shards, and one client
     * does not do it often enough in the warm-up of the next point.
     */
    boolean needsRehearsalAtEachPoint() {
        return this == RENAMES;
    }

    /** Whether works, clients and depth may be chosen. */
    boolean isFree() {
        return this == SHARDS || this == LOOKUP;
    }

    /** Whether an option of the command, named in full, changes anything in this figure. */
    boolean takes(String option) {
        return switch (option) {
            case "--creates" -> this == LATENCY;
            case "--rounds" -> this != LATENCY;
            case "--files" -> this != LATENCY && !isOfSkyeFs();
            case "--works", "--depth" -> isFree();
            case "--clients" -> isFree() || isOfSkyeFs();
            case "--seconds", "--series" -> this == GROWTH;
            case "--entries" -> this == LISTING;
            case "--warm-up" -> !isOfSkyeFs();
            case "--protocols" -> this != FOR_EACH_SERVER && usualWorks().contains(Work.CREATE);
            case "--lookups" -> this != FOR_EACH_SERVER && this != RENAMES && this != STREAMS && !isOfSkyeFs();
            case "--commit-delay-ms", "--batch-requests" -> hasSlowCommits();
            default -> true;
        };
    }

    /** Whether all clients of a series work in one directory. */
    boolean sharesDirectory(Work work) {
        return switch (this) {
            case LATENCY, CLIENTS, ONE_DIRECTORY -> true;
            case FOR_EACH_SERVER -> work == Work.CREATE;
            default -> false;
        };
    }

    /** Number of directories of a client that has its own. */
    int directories(int files) {
        return switch (this) {
            case SMALL_FILES, FOR_EACH_SERVER -> 10;
            case STREAMS -> 1;
            case RENAMES -> 2;
            default -> files;
        };
    }

    /** Number of IO servers at a point. */
    int ioServers(int point) {
        return switch (this) {
            case CLIENTS, SHARDS, LOOKUP -> IO_SERVERS;
            case RENAMES, GROWTH, LISTING -> 1;
            default -> point;
        };
    }

    /** Number of columns of a file at a point. */
    int columns(int point) {
        return isOfLookup() ? 1 : ioServers(point);
    }

    /** Number of shards at a point. Each shard has a metadata server of its own. */
    int shards(int point) {
        return switch (this) {
            case LATENCY, CLIENTS -> 1;
            default -> point;
        };
    }

    /** Number of clients at a point. */
    int clients(int point) {
        return switch (this) {
            case LATENCY, RENAMES -> 1;
            case CLIENTS -> point;
            case SHARDS -> 24;
            case LOOKUP, STREAMS, SMALL_FILES, ONE_DIRECTORY -> 64;
            case FOR_EACH_SERVER -> 6 * point;
            case GROWTH -> 10 * point;
            case LISTING -> 16;
        };
    }

    /** Whether commits of servers take longer, so that few processors do for many servers. */
    boolean hasSlowCommits() {
        return this == SHARDS || this == GROWTH || isOfLookup();
    }

    /** The rate of so much work, in the unit of the figure before it is normalized. */
    double rate(long works, double seconds) {
        return (this == STREAMS ? works / (double) FileMaker.PARTS_OF_MIB : works) / seconds;
    }

    /** Turns words into the name of a table column, with lower-case letters and underscores only. */
    static String asColumn(String words) {
        return words.toLowerCase(Locale.ROOT).replace("/", "_per_").replace(' ', '_');
    }
}
