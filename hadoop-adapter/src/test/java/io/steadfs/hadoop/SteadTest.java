package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SteadTest {
    private static final FsPermission MODE = new FsPermission((short) 0640);

    private final Recorder recorder = new Recorder();
    private final Configuration conf = new Configuration(false);

    private Stead open(String uri) throws Exception {
        return new Stead(URI.create(uri), conf, recorder);
    }

    private static void write(Stead fs, String path, CreateFlag... flags) throws Exception {
        EnumSet<CreateFlag> set = EnumSet.of(flags[0], flags);
        try (FSDataOutputStream out = fs.createInternal(
                new Path(path),
                set,
                MODE,
                4096,
                (short) 1,
                1 << 20,
                null,
                Options.ChecksumOpt.createDisabled(),
                true)) {
            out.writeBytes("text");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "stead://host:99/a/b, stead://host:99",
        "stead://host/a/b,    stead://host:7410",
        "stead://prod/a/b,    stead://prod",
    })
    void onlyTheNameOfAClusterHasNoPort(String uri, String expected) throws Exception {
        conf.set("fs.stead.prod.servers", "one:1");
        Stead fs = open(uri);
        assertThat(fs.getUri()).isEqualTo(URI.create(expected));
        assertThat(fs.makeQualified(new Path("/x"))).isEqualTo(new Path(expected + "/x"));
        fs.checkPath(new Path(expected + "/x"));
        fs.checkPath(new Path(uri));
    }

    @Test
    void renameIsOneRequest() throws Exception {
        Stead fs = open("stead://host/");
        write(fs, "/a", CreateFlag.CREATE);
        write(fs, "/b", CreateFlag.CREATE);
        recorder.takeCalls();
        fs.renameInternal(new Path("/a"), new Path("/b"), true);
        assertThat(recorder.takeCalls()).containsExactly("rename");
        write(fs, "/a", CreateFlag.CREATE);
        assertThatThrownBy(() -> fs.renameInternal(new Path("/a"), new Path("/b"), false))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void createFlags() throws Exception {
        Stead fs = open("stead://host/");
        assertThatThrownBy(() -> write(fs, "/a", CreateFlag.OVERWRITE)).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> write(fs, "/a", CreateFlag.APPEND)).isInstanceOf(FileNotFoundException.class);
        write(fs, "/a", CreateFlag.CREATE, CreateFlag.APPEND);
        assertThatThrownBy(() -> write(fs, "/a", CreateFlag.CREATE)).isInstanceOf(FileAlreadyExistsException.class);
        write(fs, "/a", CreateFlag.OVERWRITE);
        write(fs, "/a", CreateFlag.CREATE, CreateFlag.OVERWRITE);
        long once = fs.getFileStatus(new Path("/a")).getLen();
        write(fs, "/a", CreateFlag.APPEND);
        write(fs, "/a", CreateFlag.CREATE, CreateFlag.APPEND);
        assertThat(fs.getFileStatus(new Path("/a")).getLen())
                .isEqualTo(3 * once)
                .isPositive();
        assertThat(fs.truncate(new Path("/a"), once)).isTrue();
        assertThat(fs.getFileStatus(new Path("/a")).getLen()).isEqualTo(once);
        assertThat(fs.getFileStatus(new Path("/a")).getPermission()).isEqualTo(MODE);
        assertThat(fs.listStatus(new Path("/"))[0]).isInstanceOf(LocatedFileStatus.class);
        assertThat(fs.getFileBlockLocations(new Path("/a"), 0, 4)).hasSize(1);
    }

    @Test
    void contextsOfOneUserShareAClientUntilTheyAreForgotten() throws Exception {
        WeakReference<Stead> first = new WeakReference<>(open("stead://shared/"));
        Stead second = open("stead://shared/");
        Stead other = open("stead://other/");
        awaitCleared(first);
        write(second, "/a", CreateFlag.CREATE);
        assertThat(recorder.closed()).isZero();
        FSDataOutputStream out = second.createInternal(
                new Path("/b"),
                EnumSet.of(CreateFlag.CREATE),
                MODE,
                4096,
                (short) 1,
                1 << 20,
                null,
                Options.ChecksumOpt.createDisabled(),
                true);
        second = null;
        System.gc();
        out.writeBytes("x");
        assertThat(recorder.closed()).as("a stream is open").isZero();
        out.close();
        out = null;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (recorder.closed() == 0 && System.nanoTime() < deadline) {
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(recorder.closed()).isEqualTo(1);
        assertThat(other.getUri()).isEqualTo(URI.create("stead://other:7410"));
    }

    private static void awaitCleared(WeakReference<?> reference) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (reference.get() != null && System.nanoTime() < deadline) {
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(reference.get()).isNull();
    }
}
