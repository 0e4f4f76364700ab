package io.steadfs.lab.bench.figure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The experiments of section 5 of the paper "File Creation Strategies in a Distributed Metadata File System". Each
 * experiment has the number of its figure in the paper.
 */
enum Figure {
    /** The latency of a create, depending on the number of IO servers. */
    LATENCY(6, "IO servers", "Mean latency of a create", "microseconds", "1,2,4,8,12,16,20,26"),
    /** The rate of creates, depending on the number of clients. */
    CLIENTS(7, "clients", "Creates in one directory", "creates/second", "1,2,4,8,14,16,20,24"),
    /** The rate of creates, depending on the number of metadata shards. */
    SHARDS(8, "shards", "Work in many directories", "operations/second", "1,2,3,4,6,8,12");

    /** Number of IO servers in all figures except {@link #LATENCY}. */
    private static final int IO_SERVERS = 4;

    /** Number of clients in the figure {@link #SHARDS}. */
    private static final int CLIENTS_OF_SHARDS = 24;

    final int number;
    final String x;
    final String title;
    final String unit;
    private final String usualPoints;

    Figure(int number, String x, String title, String unit, String usualPoints) {
        this.number = number;
        this.x = x;
        this.title = title;
        this.unit = unit;
        this.usualPoints = usualPoints;
    }

    /** @throws IllegalArgumentException if this program does not repeat the figure with this number */
    static Figure of(int number) {
        for (Figure figure : values()) {
            if (figure.number == number) {
                return figure;
            }
        }
        throw new IllegalArgumentException("--figure " + number + " is none of 6, 7, 8");
    }

    /** The points from left to right that are measured if the user names no points. */
    List<Integer> usualPoints() {
        return Arrays.stream(usualPoints.split(",", -1)).map(Integer::valueOf).toList();
    }

    /** Number of IO servers at a point. Each file has a column on every IO server. */
    int ioServers(int point) {
        return this == LATENCY ? point : IO_SERVERS;
    }

    /** Number of shards at a point. Each shard has a metadata server of its own. */
    int shards(int point) {
        return this == SHARDS ? point : 1;
    }

    /** Number of clients at a point. */
    int clients(int point) {
        return switch (this) {
            case LATENCY -> 1;
            case CLIENTS -> point;
            case SHARDS -> CLIENTS_OF_SHARDS;
        };
    }

    /** Turns words into the name of a table column, with lower-case letters and underscores only. */
    static String asColumn(String words) {
        return words.toLowerCase(Locale.ROOT).replace("/", "_per_").replace(' ', '_');
    }
}
