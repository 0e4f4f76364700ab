package io.steadfs.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the target of a symbolic link leads. */
class LinkTargetTest {
    @ParameterizedTest(name = "{1} at {0} is {2}")
    @CsvSource({
        "/a/l, b, /a/b",
        "/a/l, ./b/../c, /a/c",
        "/a/l, ../b, /b",
        "/a/l, .., /",
        "/a/l, ../../../b, /b",
        "/l, b/c, /b/c",
        "/a/l, /b/c, /b/c",
        "/a/l, /, /",
        "/a/l, /b//c/, /b/c",
        "/a/l, b:c/d, /a/b:c/d"
    })
    void aPathIsResolvedAsText(String link, String target, String leadsTo) throws FsException {
        assertThat(LinkTarget.from(FsPath.parse(link), target)).isEqualTo(FsPath.parse(leadsTo));
    }

    @ParameterizedTest
    @CsvSource({
        "a, true",
        "../a, true",
        "/a:b, true",
        "a/b:c, true",
        "hdfs://host/a, false",
        "stead:///a, false",
        "a:b, false",
        "//host/a, false"
    })
    void aTargetIsAPathOrAUri(String target, boolean isPath) {
        assertThat(LinkTarget.isPath(target)).isEqualTo(isPath);
    }

    @ParameterizedTest(name = "{0}, {2} behind the link to {1}: {3}")
    @CsvSource({
        "/a/l, b, '', /a/b",
        "/a/l/x/y, b, x/y, /a/b/x/y",
        "/l/x, /, x, /x",
        "/l, /, '', /",
        "/a/b/l/x, ../c, x, /a/c/x"
    })
    void aRequestGoesOnBehindTheLink(String asked, String target, String rest, String goesOn) throws FsException {
        LinkException met = new LinkException("", target, rest, false);
        assertThat(LinkTarget.goOn(FsPath.parse(asked), met, target)).isEqualTo(FsPath.parse(goesOn));
    }

    @Test
    void whatTheLinkLeadsToHasTheLimitsOfAPath() throws FsException {
        FsPath asked = FsPath.parse("/l/" + "x".repeat(200));
        LinkException met = new LinkException("", "a/".repeat(3950), "x".repeat(200), false);
        assertThatThrownBy(() -> LinkTarget.goOn(asked, met, met.target()))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.error()).isEqualTo(FsError.NAME_TOO_LONG));
    }

    @Test
    void aTargetIsNotEmptyAndHasABound() throws FsException {
        assertThat(LinkTarget.checked("ä".repeat(4000))).hasSize(4000);
        assertThatThrownBy(() -> LinkTarget.checked("ä".repeat(4001))).hasMessageContaining("8002 bytes, at most 8000");
        assertThatThrownBy(() -> LinkTarget.checked("")).hasMessageContaining("without a target");
        assertThatThrownBy(() -> LinkTarget.checked("a\0b")).hasMessageContaining("NUL");
    }
}
