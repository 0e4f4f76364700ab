package io.steadfs.wire;

import io.steadfs.pages.Page;
import io.steadfs.pages.Rows;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * docs/wire-format.md has the kinds as {@link Kind} declares them, row by row. The page is the second word on numbers and audiences: whoever
 * changes one here by mistake is told so.
 */
class KindPageTest {
    private static final Page PAGE = Page.of("docs/wire-format.md");

    @Test
    void eachKindHasItsRow() {
        List<String> rows = PAGE.part("Kinds").table("number", "kind", "answered as", "for").rows().stream()
                .map(row -> "| " + String.join(" | ", row) + " |")
                .toList();
        Rows.match(
                "docs/wire-format.md, Kinds",
                Arrays.stream(Kind.values()).map(KindPageTest::row).toList(),
                rows);
    }

    private static String row(Kind kind) {
        return "| %d | `%s` | `%s` | %s |".formatted(kind.number(), kind, kind.target(), kind.audience());
    }

    @Test
    void eachTargetAndEachAudienceIsExplained() {
        Rows.match(
                "docs/wire-format.md, Kinds: answered as",
                Arrays.stream(Kind.Target.values()).map(Enum::name).toList(),
                PAGE.part("Kinds").table("answered as", "by").codes("answered as"));
        Rows.match(
                "docs/wire-format.md, Who may send what",
                Arrays.stream(Audience.values()).map(Audience::toString).toList(),
                PAGE.part("Who may send what")
                        .table("audience", "client", "admin", "server")
                        .column("audience"));
    }
}
