package io.steadfs.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.pages.Page;
import io.steadfs.pages.PageTable;
import io.steadfs.pages.Rows;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** docs/command-line.md has the kinds of findings as {@link FindingKind} declares them, in the words of the web interface. */
class FindingPageTest {
    private static final PageTable TABLE =
            Page.of("docs/command-line.md").part("What it finds and repairs").table("finding", "meaning", "repair");

    /** Before a repair that gives something up. */
    private static final String STAR = "* ";

    @Test
    void eachKindHasItsRow() {
        Rows.match(
                TABLE.where(),
                Arrays.stream(FindingKind.values()).map(FindingKind::label).toList(),
                TABLE.codes("finding"));
    }

    @Test
    void eachRowHasTheWordsOfItsKind() {
        for (List<String> row : TABLE.rows()) {
            Optional<FindingKind> found = PageTable.codesIn(row.get(0)).stream()
                    .flatMap(label -> FindingKind.of(label).stream())
                    .findFirst();
            FindingKind kind = found.orElseThrow(() -> new AssertionError(TABLE.where() + ": " + row));
            String meaning = row.get(1);
            String repair = row.get(2);
            assertThat(meaning)
                    .as("%s, meaning of %s", TABLE.where(), kind.label())
                    .contains(kind.meaning());
            assertThat(repair.startsWith(STAR))
                    .as("%s, star of %s: its repair gives something up", TABLE.where(), kind.label())
                    .isEqualTo(FindingKind.givingUp().contains(kind));
            if (FindingKind.ofStores().contains(kind)) {
                assertThat(repair)
                        .as("%s, repair of %s", TABLE.where(), kind.label())
                        .startsWith("none: ");
                assertThat(RepairWords.of(kind)).startsWith("none: ");
            } else {
                assertThat(repair.replace(STAR, "").replace("`", ""))
                        .as("%s, repair of %s", TABLE.where(), kind.label())
                        .isEqualTo(RepairWords.of(kind));
            }
        }
    }

    /** A kind that is not in the order would never be repaired. */
    @Test
    void eachKindHasItsTurn() {
        assertThat(Repair.ORDER).containsExactlyInAnyOrder(FindingKind.values());
    }
}
