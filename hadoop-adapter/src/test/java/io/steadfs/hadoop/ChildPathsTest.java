package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
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

    private static final String ODD =
            "ab.:%?#[]{}|\\^`\"<>~+&;,@$!'()*=_- \n\u007f\u00a0\u00e4\u2028\u202e\u20ac\uffff";

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
                ":",
                "a/b:c/d e",
                "a+b&c;d,e@f$g!h'(i)*",
                "[x]{y}|z^`",
                "\u00e4\u20ac\ud83d\ude00",
                "\u202egnp.exe",
                "line\nfeed",
            })
    void areThoseOfHadoop(String name) throws IOException {
        for (Path parent : DIRECTORIES) {
            checkThatOfHadoop(parent, name);
        }
    }

    @Test
    void areThoseOfHadoopForRandomNames() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 5_000; i++) {
            String name = randomName(random);
            Path parent = DIRECTORIES.get(random.nextInt(DIRECTORIES.size()));
            try {
                checkThatOfHadoop(parent, name);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ", name " + i, e);
            }
        }
    }

    /** One to eight characters, most of which mean something in a URI. The name is no "." and no "..". */
    private static String randomName(Random random) {
        StringBuilder name = new StringBuilder();
        int characters = 1 + random.nextInt(8);
        while (name.length() < characters) {
            int character = random.nextInt(4) > 0
                    ? ODD.charAt(random.nextInt(ODD.length()))
                    : 1 + random.nextInt(Character.MAX_CODE_POINT);
            // Half of a surrogate pair has no UTF-8 form, and so is in no name.
            if (character != '/' && Character.getType(character) != Character.SURROGATE) {
                name.appendCodePoint(character);
            }
        }
        return name.toString().equals(".") || name.toString().equals("..") ? name + "x" : name.toString();
    }

    private static void checkThatOfHadoop(Path parent, String name) throws IOException {
        Path wanted = new Path(parent, new Path(null, null, name));

        Path made = new ChildPaths(parent).of(name);

        assertThat(made).isEqualTo(wanted).hasToString(wanted.toString()).hasSameHashCodeAs(wanted);
        assertThat(wanted).isEqualTo(made).isEqualByComparingTo(made);
        assertThat(made.toUri())
                .isEqualTo(wanted.toUri())
                .hasToString(wanted.toUri().toString());
        assertThat(made.toUri().getPath()).isEqualTo(wanted.toUri().getPath());
        assertThat(made.getName()).isEqualTo(wanted.getName());
        assertThat(made.getParent()).isEqualTo(wanted.getParent());
        assertThat(serialized(made)).isEqualTo(serialized(wanted));
    }

    private static byte[] serialized(Path path) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(path);
        }
        return bytes.toByteArray();
    }
}
