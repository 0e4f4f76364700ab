package io.steadfs.lab.bench.figure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The experiments, by their figures in "File Creation Strategies in a Distributed Metadata File System", section 5. */
enum Figure {
    /** How long a create takes, against the number of IO servers. */
    LATENCY(6, "IO servers", "Mean latency of a create", "microseconds", "1,2,4,8,12,16,20,26"),
    /** How many creates a second, against the number of clients. */
    CLIENTS(7, "clients", "Creates in one directory", "creates/second", "1,2,4,8,14,16,20,24"),
    /** How many creates a second, against the number of metadata shards. */
    SHARDS(8, "shards", "Creates in many directories", "creates/second", "1,2,3,4,6,8,12");

    /** Of all figures but the first. */
    private static final int IO_SERVERS = 4;

    /** Of the last figure. */
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

    /** @throws IllegalArgumentException if no such figure is repeated here */
    static Figure of(int number) {
        for (Figure figure : values()) {
            if (figure.number == number) {
                return figure;
            }
        }
        throw new IllegalArgumentException("--figure " + number + " is none of 6, 7, 8");
    }

    /** From left to right, where no others are asked for. */
    List<Integer> usualPoints() {
        return Arrays.stream(usualPoints.split(",", -1)).map(Integer::valueOf).toList();
    }

    /** At a point; files have a column on each. */
    int ioServers(int point) {
        return this == LATENCY ? point : IO_SERVERS;
    }

    /** At a point, each with a metadata server of its own. */
    int shards(int point) {
        return this == SHARDS ? point : 1;
    }

    /** At a point. */
    int clients(int point) {
        return switch (this) {
            case LATENCY -> 1;
            case CLIENTS -> point;
            case SHARDS -> CLIENTS_OF_SHARDS;
        };
    }

    /** For the names of columns: letters and underscores. */
    static String asColumn(String words) {
        return words.toLowerCase(Locale.ROOT).replace("/", "_per_").replace(' ', '_');
    }
}
