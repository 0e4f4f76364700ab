package io.steadfs.lab.bench.jobs;

import io.steadfs.lab.bench.word.Words;
import java.util.List;

/** A job of the project that is counted. */
enum SparkJob {
    /** Counts words, and writes the counts as Parquet files, partitioned by letter. */
    BATCH("WordCountJob"),
    /** Writes in all modes and formats: overwrites, appends, dynamic partitions, both committers. */
    WRITES("SparkWritesCheck"),
    /** Goes on from files to Parquet, a batch for each file, with a checkpoint. */
    STREAM("StreamingJob"),
    /** Makes tables in a warehouse, reads them, and writes and reads the event log. */
    TABLES("TablesAndEventsJob"),
    /** Makes a table of Delta Lake and changes it in each way: each change is a file of its log. */
    DELTA("DeltaTableJob");

    private final String program;

    SparkJob(String program) {
        this.program = program;
    }

    String mainClass() {
        return "io.steadfs.demo." + program;
    }

    /**
     * The arguments of the program.
     *
     * @param folder URI of a folder of the job, which may have text files in {@code in}
     */
    List<String> arguments(String folder) {
        return switch (this) {
            case BATCH -> List.of(folder + "/in", folder + "/out", "a", "10");
            case STREAM, DELTA -> List.of(folder, "all");
            case WRITES, TABLES -> List.of(folder);
        };
    }

    /** As users write it. */
    @Override
    public String toString() {
        return Words.of(this);
    }
}
