package io.steadfs.lab.bench.figure.ground;

import java.util.Map;

/** All numbers of a figure at one place. */
public interface Outcome {
    /** Tables for people. */
    String text();

    /**
     * Comma-separated text by the end of the file's name, which is empty for the file with what the picture shows. The
     * first line of each has the names and units of the columns.
     */
    Map<String, String> csvFiles();

    Chart chart();
}
