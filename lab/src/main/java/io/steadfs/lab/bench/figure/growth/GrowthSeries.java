package io.steadfs.lab.bench.figure.growth;

import io.steadfs.layout.DirectoryHints;
import java.util.Map;

/** Where clients create their files. */
public enum GrowthSeries {
    /** In one directory, which splits by itself. */
    SPLITTING("no hint"),
    /** In one directory, which has as many partitions as it can get before the first file is made. */
    PRESPLIT("presplit"),
    /** In as many directories as there are shards, each on a shard of its own. They never split. */
    SEPARATE("separate directories");

    final String title;

    GrowthSeries(String title) {
        this.title = title;
    }

    /** Extended attributes of each directory. */
    Map<String, String> hints() {
        return switch (this) {
            case SPLITTING -> Map.of();
            case PRESPLIT -> Map.of(DirectoryHints.EXPECTED_FILES, "1000000000");
            case SEPARATE -> Map.of(DirectoryHints.MAX_SHARDS, "1");
        };
    }
}
