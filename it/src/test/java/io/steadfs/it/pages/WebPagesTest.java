package io.steadfs.it.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.pages.Page;
import io.steadfs.pages.Repository;
import io.steadfs.pages.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each page of the web interface has its row in docs/web-interface.md, and is looked at by the browser. */
class WebPagesTest {
    private static final String PAGES = "webui/src/main/resources/io/steadfs/webui/page/app.js";
    private static final String BROWSER = "it/src/test/java/io/steadfs/it/web/BrowserTest.java";
    private static final Pattern PAGE =
            Pattern.compile("\\{ path: \"([a-z]*)\", title: \"([^\"(]+?)( \\([^\"]*\\))?\"");
    private static final Pattern LOOKED_AT = Pattern.compile("pages\\.put\\(\"[a-z-]+\", \"([a-z]*)");

    private static List<String> found(Pattern pattern, int group, String file) throws IOException {
        return pattern.matcher(Files.readString(Repository.home().resolve(file)))
                .results()
                .map(found -> found.group(group))
                .toList();
    }

    @Test
    void eachPageHasItsRow() throws IOException {
        Rows.match(
                "docs/web-interface.md, Pages",
                found(PAGE, 2, PAGES),
                Page.of("docs/web-interface.md")
                        .part("Pages")
                        .table("page", "shows")
                        .column("page"));
    }

    @Test
    void eachPageIsOpenedByTheBrowser() throws IOException {
        assertThat(new TreeSet<>(found(LOOKED_AT, 1, BROWSER)))
                .as("pages of BrowserTest")
                .containsAll(found(PAGE, 1, PAGES));
    }
}
