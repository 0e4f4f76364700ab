package io.steadfs.lab.bench.compare.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkMixTest {
    @Test
    void oneJobMakesTheCallsThatWereMeasuredOfSpark(@TempDir Path folder) throws IOException {
        try (Counted counted = new Counted()) {
            counted.setWorkingDirectory(new org.apache.hadoop.fs.Path(folder.toUri()));
            SparkMix mix = new SparkMix(new WorkDirectory(counted), 0);

            mix.one(new org.apache.hadoop.fs.Path(folder.toUri().toString(), "job"));

            assertThat(counted.calls)
                    .isEqualTo(Map.of(
                            "getFileStatus",
                            41,
                            "rename",
                            16,
                            "listStatus",
                            13,
                            "create",
                            12,
                            "exists",
                            8,
                            "delete",
                            2));
            assertThat(folder).isEmptyDirectory();
        }
    }

    /** Of the calls that exists makes itself only exists is counted. */
    private static final class Counted extends FilterFileSystem {
        private final Map<String, Integer> calls = new TreeMap<>();

        Counted() throws IOException {
            super(local());
        }

        private static LocalFileSystem local() throws IOException {
            LocalFileSystem local = new LocalFileSystem();
            local.initialize(java.net.URI.create("file:///"), new Configuration());
            local.setWriteChecksum(false);
            return local;
        }

        private void count(String call) {
            calls.merge(call, 1, Integer::sum);
        }

        @Override
        public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
            count("getFileStatus");
            return super.getFileStatus(path);
        }

        @Override
        public boolean exists(org.apache.hadoop.fs.Path path) throws IOException {
            count("exists");
            return fs.exists(path);
        }

        @Override
        public FileStatus[] listStatus(org.apache.hadoop.fs.Path path) throws IOException {
            count("listStatus");
            return super.listStatus(path);
        }

        @Override
        public boolean rename(org.apache.hadoop.fs.Path source, org.apache.hadoop.fs.Path target) throws IOException {
            count("rename");
            return super.rename(source, target);
        }

        @Override
        public boolean delete(org.apache.hadoop.fs.Path path, boolean recursive) throws IOException {
            count("delete");
            return super.delete(path, recursive);
        }

        @Override
        public FSDataOutputStream create(
                org.apache.hadoop.fs.Path path,
                FsPermission permission,
                boolean overwrite,
                int bufferSize,
                short replication,
                long blockSize,
                Progressable progress)
                throws IOException {
            count("create");
            return super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
        }
    }
}
