package io.steadfs.it.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.pages.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The section of docs/semantics.md that lists the rules of {@link RuleBook}. */
class RulesPageTest {
    private static final Path PAGE = Repository.home().resolve("docs/semantics.md");
    private static final String HEADING = "## Rules of names and files";
    private static final boolean DRAW = Boolean.getBoolean("stead.pages.draw");

    private static final String INTRODUCTION = """

            What calls answer to whom. These are the rules that Hadoop's file systems share with POSIX. `SharedRulesTest` tries each of them in a
            directory with few names, in one that was split by itself and in one that was split before it had names. It also looks at all that is
            there afterwards: what was refused has changed nothing, times included. This section is written from the tables of that test.

            Of the users, *owner* owns a directory `d` and what is in it, unless the rule says otherwise; *member* is in their group, and *other* is
            not. `done` is the answer of a call that returns nothing. "The directory" is `d`. A rename is `FileSystem.rename`, with two
            arguments; a rename onto exactly a name is `FileContext.rename`.
            """;

    /** {@code -Dstead.pages.draw=true} draws the section anew. */
    @Test
    void thePageHasTheRules() throws IOException {
        List<String> lines = Files.readAllLines(PAGE);
        int from = lines.indexOf(HEADING);
        assertThat(from).as("%s in %s", HEADING, PAGE).isNotNegative();
        int to = from + 1;
        while (to < lines.size() && !lines.get(to).startsWith("## ")) {
            to++;
        }
        List<String> drawn = new ArrayList<>(lines.subList(0, from + 1));
        drawn.addAll(section());
        drawn.addAll(lines.subList(to, lines.size()));
        if (DRAW) {
            Files.write(PAGE, drawn);
        } else {
            assertThat(lines)
                    .as("%s, as -Dstead.pages.draw=true writes it", PAGE)
                    .isEqualTo(drawn);
        }
    }

    private static List<String> section() {
        List<String> section = new ArrayList<>(INTRODUCTION.lines().toList());
        String operation = "";
        for (Rule rule : RuleBook.ALL) {
            if (!rule.operation().equals(operation)) {
                operation = rule.operation();
                section.addAll(List.of("", "**" + operation + "**", "", "| rule | who | answer |", "|---|---|---|"));
            }
            section.add("| " + rule.words() + " | " + rule.who() + " | `" + rule.answer() + "` |");
        }
        section.add("");
        return section;
    }

    @Test
    void everyRuleHasWordsOfItsOwn() {
        Set<String> words = new HashSet<>();
        for (Rule rule : RuleBook.ALL) {
            assertThat(words.add(rule.toString())).as("%s, a second time", rule).isTrue();
        }
    }
}
