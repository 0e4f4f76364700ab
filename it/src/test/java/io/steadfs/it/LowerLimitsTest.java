package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bounds of names and extended attributes as an administrator sets them, over three shards, with either create. */
class LowerLimitsTest {
    private static FsError error(ThrowingCallable call) {
        return catchThrowableOfType(FsException.class, call).error();
    }

    private static FsPath path(String text) throws IOException {
        return FsPath.parse(text);
    }

    @Test
    void whatIsNewIsBounded(@TempDir Path data) throws IOException {
        Map<String, String> settings = Map.of(
                "stead.format.shards", "3",
                "stead.mds.name.bytes", "20",
                "stead.mds.path.names", "4",
                "stead.mds.xattr.name.bytes", "10",
                "stead.mds.xattr.value.bytes", "100000",
                "stead.mds.xattrs", "2");
        String shortName = "n".repeat(20);
        String longName = "n".repeat(21);
        try (Cluster cluster = Cluster.start(data, 2, settings);
                SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            fs.mkdirs(path("a/b/c"), 0755, true, true);
            fs.create(path("a/b/c/" + shortName), CreateOptions.DEFAULT).close();
            assertThat(error(() -> fs.create(path("a/b/c/" + longName), CreateOptions.DEFAULT)))
                    .isEqualTo(FsError.NAME_TOO_LONG);
            assertThat(error(() -> fs.mkdirs(path("a/b/c/d/e"), 0755, true, true)))
                    .isEqualTo(FsError.NAME_TOO_LONG);
            assertThat(error(() -> fs.mkdirs(path(longName + "/x"), 0755, true, true)))
                    .isEqualTo(FsError.NAME_TOO_LONG);
            assertThat(fs.find(path(longName))).isEmpty();
            FsPath file = path("a/b/c/" + shortName);
            assertThat(error(() -> fs.rename(file, path(longName), RenameMode.NO_REPLACE)))
                    .isEqualTo(FsError.NAME_TOO_LONG);
            fs.setXattr(file, "user.12345", new byte[100_000], true, true);
            assertThat(error(() -> fs.setXattr(file, "user.12345", new byte[100_001], true, true)))
                    .isEqualTo(FsError.TOO_LARGE);
            assertThat(error(() -> fs.setXattr(file, "user.123456", new byte[1], true, true)))
                    .isEqualTo(FsError.NAME_TOO_LONG);
            fs.setXattr(file, "user.2", new byte[1], true, true);
            assertThat(error(() -> fs.setXattr(file, "user.3", new byte[1], true, true)))
                    .isEqualTo(FsError.TOO_LARGE);
            assertThat(fs.getXattrs(file, List.of())).hasSize(2);
        }
        Map<String, String> basecase =
                Map.of("stead.create.protocol", "basecase", "stead.mds.name.bytes", "19", "stead.format.shards", "3");
        try (Cluster cluster = Cluster.start(data, 2, basecase);
                SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            assertThat(fs.stat(path("a/b/c/" + shortName)).directory())
                    .as("stays")
                    .isFalse();
            assertThat(error(() -> fs.create(path("a/" + shortName), CreateOptions.DEFAULT)))
                    .isEqualTo(FsError.NAME_TOO_LONG);
            fs.rename(path("a/b/c/" + shortName), path("a/less"), RenameMode.NO_REPLACE);
            assertThat(fs.getXattrs(path("a/less"), List.of())).hasSize(2);
            fs.delete(path("a/less"), false);
        }
    }
}
