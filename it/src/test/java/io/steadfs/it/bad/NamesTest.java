package io.steadfs.it.bad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.it.Cluster;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Names through the client, at the limits of what they may be. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class NamesTest {
    private final AnswerTable table = new AnswerTable("names", "Names, through the client");
    private final Cluster cluster;
    private final SteadFs fs;

    NamesTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, 1, Map.of());
        fs = cluster.connect(Cluster.SUPERUSER, List.of());
    }

    @AfterAll
    void stop() throws IOException {
        table.write();
        fs.close();
        cluster.close();
    }

    private void write(FsPath path, int length) throws IOException {
        try (FileWriter writer = fs.create(path, CreateOptions.DEFAULT)) {
            writer.write(new byte[length], 0, length);
        }
    }

    /** All different names, though some look alike. */
    private static final Map<String, String> GOOD = new TreeMap<>(Map.ofEntries(
            Map.entry("255 ASCII letters", "a".repeat(255)),
            Map.entry("255 bytes in 128 letters", "\u00e4".repeat(127) + "a"),
            Map.entry("255 bytes in 85 letters", "\u540d".repeat(85)),
            Map.entry("one code point, composed", "\u00e9"),
            Map.entry("letter and combining accent", "e\u0301"),
            Map.entry("Hangul syllable", "\uac00"),
            Map.entry("the same in jamo", "\u1100\u1161"),
            Map.entry("the letter K", "K"),
            Map.entry("the Kelvin sign", "\u212a"),
            Map.entry("right-to-left", "\u05e9\u05dc\u05d5\u05dd"),
            Map.entry("right-to-left override", "\u202egpj.exe"),
            Map.entry("emoji with a joiner", "\ud83d\udc69\u200d\ud83d\ude80"),
            Map.entry("zero width space", "a\u200bb"),
            Map.entry("no-break space", "\u00a0"),
            Map.entry("three dots", "..."),
            Map.entry("blank", " "),
            Map.entry("line feed", "a\nb"),
            Map.entry("backslash", "a\\b"),
            Map.entry("percent and colon", "%2F:*?"),
            Map.entry("byte order mark", "\ufeffa"),
            Map.entry("noncharacter", "\uffff")));

    @Test
    void oddNamesAreKeptAsTheyAreAndApart() throws IOException {
        FsPath directory = FsPath.parse("/odd");
        int length = 0;
        Map<String, Long> written = new TreeMap<>();
        for (Map.Entry<String, String> name : GOOD.entrySet()) {
            length++;
            write(FsPath.parse("/odd/" + name.getValue()), length);
            written.put(name.getValue(), (long) length);
            table.add("name: " + name.getKey(), "made, and listed with the same code points");
        }

        Map<String, Long> listed = new TreeMap<>();
        for (Entry entry : fs.listSorted(directory)) {
            listed.put(entry.name(), entry.info().length());
        }
        assertThat(listed).isEqualTo(written);
        Map<String, Long> walked = new TreeMap<>();
        Iterator<Entry> tree = fs.listTree(directory, true);
        tree.forEachRemaining(entry -> walked.put(entry.name(), entry.info().length()));
        assertThat(walked).isEqualTo(written);
    }

    static Stream<Arguments> badNames() {
        return Stream.of(
                Arguments.of("256 ASCII letters", "a".repeat(256), FsError.NAME_TOO_LONG, "256 bytes"),
                Arguments.of("256 bytes in 128 letters", "\u00e4".repeat(128), FsError.NAME_TOO_LONG, "256 bytes"),
                Arguments.of("256 bytes in 64 emoji", "\ud83d\udc1f".repeat(64), FsError.NAME_TOO_LONG, "256 bytes"),
                Arguments.of(".", ".", FsError.INVALID_ARGUMENT, "'.'"),
                Arguments.of("..", "..", FsError.INVALID_ARGUMENT, "'..'"),
                Arguments.of("empty, before a name", "/a", FsError.INVALID_ARGUMENT, "empty component"),
                Arguments.of("empty, after a name", "a/", FsError.INVALID_ARGUMENT, "empty component"),
                Arguments.of("with NUL", "a\0b", FsError.INVALID_ARGUMENT, "NUL"),
                Arguments.of("high surrogate alone", "a\ud83d", FsError.INVALID_ARGUMENT, "UTF-8"),
                Arguments.of("low surrogate alone", "\udc1fa", FsError.INVALID_ARGUMENT, "UTF-8"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badNames")
    void badNamesAreRefused(String input, String name, FsError error, String words) {
        FsException refusal = catchThrowableOfType(FsException.class, () -> write(FsPath.parse("/bad/" + name), 1));

        table.add("name: " + input, String.valueOf(refusal.getMessage()));
        assertThat(refusal.error()).isEqualTo(error);
        assertThat(refusal).hasMessageContaining(words);
    }

    @Test
    void depth() throws IOException {
        String deepest = "/" + "d/".repeat(999) + "d";
        FsPath path = FsPath.parse(deepest);
        fs.mkdirs(path, 0755, true, true);
        assertThat(fs.stat(path).directory()).isTrue();
        assertThat(fs.contentSummary(FsPath.parse("/d")).directories()).isEqualTo(1000);
        table.add("directory at depth 1,000", "made with its parents in one request, and found");

        FsException refusal = catchThrowableOfType(FsException.class, () -> write(FsPath.parse(deepest + "/file"), 1));
        table.add("file at depth 1,001", String.valueOf(refusal.getMessage()));
        assertThat(refusal.error()).isEqualTo(FsError.NAME_TOO_LONG);
        assertThat(refusal).hasMessageContaining("1000 components");

        // Past the parser, the path goes to the server as it is.
        FsException refusalOfServer =
                catchThrowableOfType(FsException.class, () -> fs.mkdirs(path.child("e"), 0755, false, true));
        table.add("directory at depth 1,001, past the client's check", String.valueOf(refusalOfServer.getMessage()));
        assertThat(refusalOfServer.error()).isEqualTo(FsError.NAME_TOO_LONG);

        assertThat(fs.rename(FsPath.parse("/d"), FsPath.parse("/e"), RenameMode.NO_REPLACE))
                .isTrue();
        fs.delete(FsPath.parse("/e"), true);
        assertThat(fs.find(FsPath.parse("/e"))).isEmpty();
        table.add("rename and recursive delete of the 1,000 directories", "done, each in one request");
    }
}
