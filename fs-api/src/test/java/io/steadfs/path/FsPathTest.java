package io.steadfs.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FsPathTest {
    static Stream<Arguments> good() {
        return Stream.of(
                Arguments.of("", List.of()),
                Arguments.of("/", List.of()),
                Arguments.of("a", List.of("a")),
                Arguments.of("/a", List.of("a")),
                Arguments.of("/a/b c/d", List.of("a", "b c", "d")),
                Arguments.of("/...", List.of("...")),
                Arguments.of("/.a/b.", List.of(".a", "b.")),
                Arguments.of("/\u00e4\u20ac\ud83d\ude00", List.of("\u00e4\u20ac\ud83d\ude00")),
                Arguments.of("/" + "x".repeat(255), List.of("x".repeat(255))),
                Arguments.of("/" + "\u00e4".repeat(127), List.of("\u00e4".repeat(127))));
    }

    @ParameterizedTest
    @MethodSource("good")
    void reads(String text, List<String> components) throws Exception {
        FsPath path = FsPath.parse(text);
        assertThat(path.components()).isEqualTo(components);
        assertThat(FsPath.parse(path.toString())).isEqualTo(path);
        assertThat(FsPath.parse(path.relative())).isEqualTo(path);
    }

    static Stream<Arguments> bad() {
        return Stream.of(
                Arguments.of("//", FsError.INVALID_ARGUMENT),
                Arguments.of("/a/", FsError.INVALID_ARGUMENT),
                Arguments.of("/a//b", FsError.INVALID_ARGUMENT),
                Arguments.of("/a/.", FsError.INVALID_ARGUMENT),
                Arguments.of("/../a", FsError.INVALID_ARGUMENT),
                Arguments.of("/a\0b", FsError.INVALID_ARGUMENT),
                Arguments.of("/\ud83d", FsError.INVALID_ARGUMENT),
                Arguments.of("/\ude00x", FsError.INVALID_ARGUMENT),
                Arguments.of("/" + "x".repeat(256), FsError.NAME_TOO_LONG),
                Arguments.of("/" + "\u00e4".repeat(128), FsError.NAME_TOO_LONG),
                Arguments.of("/a".repeat(1001), FsError.NAME_TOO_LONG),
                Arguments.of(("/" + "x".repeat(199)).repeat(40) + "/y", FsError.NAME_TOO_LONG),
                Arguments.of(("/" + "\u00e4".repeat(100)).repeat(40), FsError.NAME_TOO_LONG));
    }

    @ParameterizedTest
    @MethodSource("bad")
    void refuses(String text, FsError error) {
        FsException refusal = catchThrowableOfType(FsException.class, () -> FsPath.parse(text));
        assertThat(refusal.error()).isEqualTo(error);
        assertThat(refusal.getMessage()).hasSizeLessThan(1000);
    }

    @Test
    void takesTheDeepestPath() throws Exception {
        assertThat(FsPath.parse("/a".repeat(1000)).depth()).isEqualTo(1000);
    }

    @Test
    void takesTheLongestPath() throws Exception {
        String longest = ("/" + "x".repeat(199)).repeat(40).substring(1) + "y";
        assertThat(longest).hasSize(8000);
        assertThat(FsPath.parse("/" + longest).depth()).isEqualTo(40);
        assertThat(FsPath.parse(longest).depth()).isEqualTo(40);
    }

    @ParameterizedTest(name = "{0} covers {1}: {2}")
    @CsvSource({
        "/, /, true",
        "/, /a/b, true",
        "/a, /a, true",
        "/a, /a/b, true",
        "/a, /ab, false",
        "/a/b, /a, false",
        "/a, /b/a, false"
    })
    void covers(String upper, String lower, boolean expected) throws Exception {
        assertThat(FsPath.parse(upper).covers(FsPath.parse(lower))).isEqualTo(expected);
    }

    @Test
    void knowsItsNeighbours() throws Exception {
        FsPath path = FsPath.parse("/a/b");
        assertThat(path.name()).isEqualTo("b");
        assertThat(path.parent()).isEqualTo(FsPath.parse("a"));
        assertThat(path.child("c")).hasToString("/a/b/c");
        assertThat(FsPath.ROOT).hasToString("/");
    }
}
