package io.steadfs.hadoop;

import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Options.OpenFileOptions;

/** {@code fs.option.openfile.read.policy}: a list of ways to read, the first that is known counts. */
final class ReadPolicy {
    /** Formats whose readers jump from column to column. */
    private static final Set<String> RANDOM = Set.of("random", "vector", "columnar", "orc", "parquet", "hbase");

    private static final Set<String> ORDERED =
            Set.of("adaptive", "default", "sequential", "whole-file", "avro", "csv", "json");

    private ReadPolicy() {}

    static boolean isRandom(Configuration options) {
        for (String policy : options.getTrimmedStrings(OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY)) {
            String name = policy.toLowerCase(Locale.ROOT);
            if (RANDOM.contains(name)) {
                return true;
            }
            if (ORDERED.contains(name)) {
                return false;
            }
        }
        return false;
    }
}
