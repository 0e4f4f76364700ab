package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.pages.Page;
import io.steadfs.pages.PageTable;
import io.steadfs.pages.Repository;
import io.steadfs.pages.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages that show modules and rooms. {@link DrawnRules} draws them from the rules of {@link ImportRulesTest}. */
class ArchitecturePageTest {
    private static final Page PAGE = Page.of("docs/ARCHITECTURE.md");
    private static final Pattern MODULE_OF_POM = Pattern.compile("<module>(.+?)</module>");
    private static final Pattern DRAWN = Pattern.compile("(?<module>[a-z-]+(/[a-z-]+)?) {2,}(?<rest>.*)");
    private static final boolean DRAW = Boolean.getBoolean("stead.pages.draw");
    private static final PageTable CONTRIBUTING =
            Page.of("CONTRIBUTING.md").part("Modules").table("module", "is", "may import");

    private static List<String> modulesOfPom() throws IOException {
        return MODULE_OF_POM
                .matcher(Files.readString(Repository.home().resolve("pom.xml")))
                .results()
                .map(module -> module.group(1))
                .toList();
    }

    @Test
    void eachModuleIsInThePicture() throws IOException {
        List<String> drawn = new ArrayList<>();
        for (String line : PAGE.part("Modules").drawing()) {
            Matcher matcher = DRAWN.matcher(line);
            if (matcher.matches()) {
                drawn.add(matcher.group("module"));
            }
        }
        Rows.match("docs/ARCHITECTURE.md, Modules", modulesOfPom(), drawn);
        Rows.match("CONTRIBUTING.md, Modules", modulesOfPom(), CONTRIBUTING.codes("module"));
    }

    /** {@code -Dstead.pages.draw=true} draws the pages anew. */
    @ParameterizedTest
    @ValueSource(strings = {"docs/ARCHITECTURE.md", "CONTRIBUTING.md"})
    void pagesShowTheRules(String page) throws IOException {
        Path file = Repository.home().resolve(page);
        List<String> lines = Files.readAllLines(file);
        List<String> drawn = drawn(lines);
        if (DRAW) {
            Files.write(file, drawn);
        } else {
            String where = page + ", as -Dstead.pages.draw=true writes it";
            Rows.match(where, drawn, lines);
            assertThat(drawn.equals(lines)).as(where + ": order of lines").isTrue();
        }
    }

    /** Pictures and tables are runs of lines without an empty one between them. */
    private static List<String> drawn(List<String> lines) {
        List<String> drawn = new ArrayList<>();
        List<String> run = new ArrayList<>();
        for (String line : lines) {
            run.add(line);
            if (line.isEmpty()) {
                drawn.addAll(drawnRun(run));
                run.clear();
            }
        }
        drawn.addAll(drawnRun(run));
        return drawn;
    }

    private static List<String> drawnRun(List<String> run) {
        String first = run.isEmpty() ? "" : run.get(0);
        String second = run.size() > 1 ? run.get(1) : "";
        if (first.startsWith("| room of `io.steadfs.mds.op` |")) {
            return new DrawnRules(ImportRulesTest.ROOMS_OF_OP).tableOfRooms(run);
        }
        if (first.startsWith("| room of `io.steadfs.client` |")) {
            return new DrawnRules(ImportRulesTest.ROOMS_OF_CLIENT).tableOfRooms(run);
        }
        if (second.startsWith("| module | is | may import |")) {
            return new DrawnRules(ImportRulesTest.IMPORTS_OF).tableOfModules(run);
        }
        if (second.startsWith("fs-api ")) {
            return new DrawnRules(ImportRulesTest.IMPORTS_OF).picture(run);
        }
        return run;
    }

    @Test
    void eachRoomHasWords() {
        for (String column : List.of("room of `io.steadfs.mds.op`", "room of `io.steadfs.client`")) {
            assertThat(PAGE.table(column, "what is there", "imports").column("what is there"))
                    .as(column)
                    .doesNotContain("");
        }
    }

    @Test
    void pagesNameEachNoun() {
        String text = PAGE.lines().stream().map(Page.Line::text).collect(Collectors.joining(" "));
        List<String> nouns = Pattern.compile("\\*\\*Nouns\\*\\* \\(([^)]*)\\)")
                .matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .flatMap(found -> PageTable.codesIn(found).stream())
                .toList();
        Rows.match("docs/ARCHITECTURE.md, nouns", ImportRulesTest.NOUNS, nouns);

        PageTable steps =
                Page.of("docs/metadata-server.md").part("The way through").table("step", "class");
        String step = "what a row looks like, how it changes";
        List<String> ofStep = steps.rows().stream()
                .filter(row -> row.get(0).equals(step))
                .flatMap(row -> PageTable.codesIn(row.get(1)).stream())
                .toList();
        Rows.match("docs/metadata-server.md, " + step, ImportRulesTest.NOUNS, ofStep);
    }
}
