package io.steadfs.lab.bench.jobs;

import java.util.List;

/** A job of the project that is counted. */
enum SparkJob {
    /** Counts words, and writes the counts as Parquet files, partitioned by letter. */
    BATCH("batch", "WordCountJob") {
        @Override
        List<String> arguments(String folder) {
            return List.of(folder + "/in", folder + "/out", "a", "10");
        }
    },
    /** Writes in all modes and formats: overwrites, appends, dynamic partitions, both committers. */
    WRITES("writes", "SparkWritesCheck") {
        @Override
        List<String> arguments(String folder) {
            return List.of(folder);
        }
    },
    /** Goes on from files to Parquet, a batch for each file, with a checkpoint. */
    STREAM("stream", "StreamingJob") {
        @Override
        List<String> arguments(String folder) {
            return List.of(folder, "all");
        }
    },
    /** Makes tables in a warehouse, reads them, and writes and reads the event log. */
    TABLES("tables", "TablesAndEventsJob") {
        @Override
        List<String> arguments(String folder) {
            return List.of(folder);
        }
    };

    final String word;
    private final String program;

    SparkJob(String word, String program) {
        this.word = word;
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
    abstract List<String> arguments(String folder);
}
