package io.steadfs.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How tests read a page. */
class PageTest {
    private static final Page PAGE = Page.parse("a.md", """
            # A
            | word | |
            |---|---|
            | no | 1 |
            ## B
            ```
            # no heading
            | no | table |
            ```
            | word | means |
            |---|---|
            | `x`, `y` | a \\| b |
            ### C
            | word | |
            |---|---|
            | z | 2 |
            ## D
            | last |
            |---|
            | w |
            """);

    @Test
    void aPartEndsAtTheNextHeadingOfItsRank() {
        assertThat(PAGE.headings()).containsExactly("A", "B", "C", "D");
        assertThat(PAGE.part("B").headings()).containsExactly("C");
        assertThat(PAGE.part("B").tables()).hasSize(2);
        assertThat(PAGE.part("B").drawing()).containsExactly("# no heading", "| no | table |");
        assertThatThrownBy(() -> PAGE.part("E")).hasMessageContaining("a.md").hasMessageContaining("\"E\"");
        assertThatThrownBy(() -> PAGE.part("D").drawing()).hasMessageContaining("a.md, D");
    }

    @Test
    void aTableIsFoundByItsColumns() {
        assertThat(PAGE.table("word", "").column("word")).containsExactly("no");
        assertThat(PAGE.part("B").table("word", "").column("")).containsExactly("2");
        assertThat(PAGE.table("last").column("last")).containsExactly("w");
        assertThat(PAGE.table("word", "means").codes("word")).containsExactly("x", "y");
        assertThat(PAGE.table("word", "means").column("means")).containsExactly("a | b");
        assertThatThrownBy(() -> PAGE.table("words")).hasMessageContaining("a.md has no table");
    }

    @Test
    void aRowThatIsMissingOrTooMuchIsNamed() {
        assertThatCode(() -> Rows.match("list", List.of("a", "b"), List.of("b", "a")))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> Rows.match("list", List.of("a", "b"), List.of("b", "c", "b")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("list: missing\n    a\n")
                .hasMessageContaining(": too much\n    c\n    b\n");
    }

    @Test
    void aDrawnTableHasItsRows() {
        String drawn = """
                 table  key
                 -----  -------
                 inode  handle 8
                        0x02, x
                 meta   text

                 more   lines
                """;
        Drawing drawing = Drawing.of(Page.parse("a", "```\n" + drawn + "```\n"));
        assertThat(drawing.names()).containsExactly("inode", "meta");
        assertThat(drawing.keys()).containsExactly("inode: handle 8", "inode: 0x02, x", "meta: text");
        String comment = drawn.replaceAll("(?m)^", " *");
        assertThat(Drawing.ofComment(Page.parse("a", comment)).rows()).isEqualTo(drawing.rows());
    }

    @Test
    void thePagesOfTheRepositoryAreFound() {
        assertThat(Repository.files(".md")).contains("README.md", "docs/limits.md");
    }
}
