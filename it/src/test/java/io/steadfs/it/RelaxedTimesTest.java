package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories of three shards keep their times with {@code stead.directory.times=relaxed}. */
class RelaxedTimesTest {
    @Test
    void onlyWhoSetsTheTimeOfADirectoryChangesIt(@TempDir Path data) throws IOException {
        Map<String, String> settings = Map.of(
                "stead.format.shards", "3",
                "stead.mkdir.spread.depth", "1000",
                "stead.directory.times", "relaxed");
        try (Cluster cluster = Cluster.start(data, 3, settings);
                SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            List<FsPath> directories = List.of(FsPath.parse("a"), FsPath.parse("b"), FsPath.parse("c"));
            for (FsPath each : directories) {
                fs.mkdirs(each, 0755, false, true);
            }
            List<Long> made = times(fs, directories);
            for (FsPath each : directories) {
                fs.create(each.child("file"), CreateOptions.DEFAULT).close();
                fs.mkdirs(each.child("below"), 0755, false, true);
            }
            // Between shards, and of a directory too.
            fs.rename(FsPath.parse("a/file"), FsPath.parse("b/moved"), RenameMode.NO_REPLACE);
            fs.rename(FsPath.parse("b/below"), FsPath.parse("c/moved"), RenameMode.NO_REPLACE);
            fs.delete(FsPath.parse("c/file"), false);
            fs.delete(FsPath.parse("a/below"), true);
            assertThat(times(fs, directories)).isEqualTo(made);
            assertThat(fs.listSorted(FsPath.parse("a"))).isEmpty();
        }
    }

    private static List<Long> times(SteadFs fs, List<FsPath> directories) throws IOException {
        List<Long> times = new ArrayList<>();
        for (FsPath each : directories) {
            times.add(fs.stat(each).modificationTime());
        }
        return times;
    }
}
