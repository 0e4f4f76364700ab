package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the names, the paths are those that Hadoop makes. */
class ChildPathsTest {
    private static final List<Path> DIRECTORIES = List.of(
            new Path("stead://host:7410/"),
            new Path("stead://host:7410/a"),
            new Path("stead://name/a b/\u00fc%20/x:y"),
            new Path("hdfs://127.0.0.1:1/d=1/e"),
            new Path(URI.create("stead://host/data#fragment")),
            new Path(URI.create("stead://host/data?query=1")),
            new Path(URI.create("stead://host/%C3%BC")),
            new Path(URI.create("stead://host/a%2Db%20c")));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "part-00000-c000.snappy.parquet",
                "day=2026-11-24",
                "_SUCCESS",
                ".hidden",
                "...",
                "-",
                "=",
                "a/b=2/c",
                "a:b",
                "a b",
                "a%20b",
                "%",
                "100%25",
                "a?b#c",
                "a\\b",
                "~tilde",
                "a+b&c;d,e@f$g!h'(i)*",
                "[x]{y}|z^`",
                "\u00e4\u20ac\ud83d\ude00",
                "\u202egnp.exe",
                "line\nfeed",
            })
    void areThoseOfHadoop(String name) {
        for (Path parent : DIRECTORIES) {
            Path wanted = new Path(parent, new Path(null, null, name));

            Path made = new ChildPaths(parent).of(name);

            assertThat(made).isEqualTo(wanted).hasToString(wanted.toString()).hasSameHashCodeAs(wanted);
            assertThat(made.toUri())
                    .isEqualTo(wanted.toUri())
                    .hasToString(wanted.toUri().toString());
            assertThat(made.toUri().getPath()).isEqualTo(wanted.toUri().getPath());
            assertThat(made.getName()).isEqualTo(wanted.getName());
            assertThat(made.getParent()).isEqualTo(wanted.getParent());
        }
    }
}
