package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.pages.Page;
import io.steadfs.pages.PageTable;
import io.steadfs.pages.Repository;
import io.steadfs.pages.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The picture of modules and the tables of rooms in docs/ARCHITECTURE.md are what {@link ImportRulesTest} enforces. */
class ArchitecturePageTest {
    private static final Page PAGE = Page.of("docs/ARCHITECTURE.md");
    private static final Pattern MODULE_OF_POM = Pattern.compile("<module>(.+?)</module>");
    private static final Pattern DRAWN = Pattern.compile("(?<module>[a-z-]+(/[a-z-]+)?) {2,}(?<rest>.*)");
    private static final Pattern IMPORTS = Pattern.compile(".*→ (?<imports>.+)");
    private static final String ALL_ABOVE = "all of the above";
    private static final PageTable CONTRIBUTING =
            Page.of("CONTRIBUTING.md").part("Modules").table("module", "is", "may import");

    private static List<String> modulesOfPom() throws IOException {
        return MODULE_OF_POM
                .matcher(Files.readString(Repository.home().resolve("pom.xml")))
                .results()
                .map(module -> module.group(1))
                .toList();
    }

    /** The last part of a module's path: the rules know modules by their folders. */
    private static String folder(String module) {
        return module.substring(module.indexOf('/') + 1);
    }

    private static String row(String module, Set<String> imports) {
        return module + " → " + String.join(", ", new TreeSet<>(imports));
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

    @Test
    void thePictureOfModulesIsWhatIsEnforced() {
        List<String> drawn = new ArrayList<>();
        Set<String> above = new TreeSet<>();
        for (String line : PAGE.part("Modules").drawing()) {
            Matcher matcher = DRAWN.matcher(line);
            if (matcher.matches() && ImportRulesTest.IMPORTS_OF.containsKey(folder(matcher.group("module")))) {
                String module = folder(matcher.group("module"));
                drawn.add(row(module, imports(matcher.group("rest"), above)));
                above.add(module);
            }
        }
        Rows.match("docs/ARCHITECTURE.md, Modules", rowsOf(ImportRulesTest.IMPORTS_OF), drawn);
    }

    @Test
    void theTableOfModulesIsWhatIsEnforced() {
        List<String> listed = new ArrayList<>();
        Set<String> above = new TreeSet<>();
        for (List<String> row : CONTRIBUTING.rows()) {
            String module = folder(PageTable.codesIn(row.get(0)).get(0));
            if (ImportRulesTest.IMPORTS_OF.containsKey(module)) {
                boolean isAll = row.get(2).startsWith(ALL_ABOVE);
                listed.add(row(module, isAll ? above : Set.copyOf(PageTable.codesIn(row.get(2)))));
                above.add(module);
            }
        }
        Rows.match("CONTRIBUTING.md, Modules", rowsOf(ImportRulesTest.IMPORTS_OF), listed);
    }

    private static List<String> rowsOf(Map<String, Set<String>> imports) {
        return imports.entrySet().stream()
                .map(each -> row(each.getKey(), each.getValue()))
                .toList();
    }

    /** Modules of ours; what is not one, such as Spark, is left out. */
    private static Set<String> imports(String rest, Set<String> above) {
        Matcher arrow = IMPORTS.matcher(rest);
        if (!arrow.matches()) {
            assertThat(rest).as("docs/ARCHITECTURE.md, Modules").endsWith("imports nothing of ours");
            return Set.of();
        }
        String imports = arrow.group("imports").strip();
        return imports.equals(ALL_ABOVE)
                ? Set.copyOf(above)
                : Pattern.compile(", ")
                        .splitAsStream(imports)
                        .filter(ImportRulesTest.IMPORTS_OF::containsKey)
                        .collect(Collectors.toSet());
    }

    @Test
    void theRoomsOfOpAreWhatIsEnforced() {
        rooms("room of `io.steadfs.mds.op`", ImportRulesTest.ROOMS_OF_OP);
    }

    @Test
    void theRoomsOfTheClientAreWhatIsEnforced() {
        rooms("room of `io.steadfs.client`", ImportRulesTest.ROOMS_OF_CLIENT);
    }

    /** The root of the client's rooms is no room: its row has no code. */
    private static void rooms(String column, Map<String, Set<String>> enforced) {
        PageTable table = PAGE.table(column, "what is there", "imports");
        List<String> listed = new ArrayList<>();
        for (List<String> row : table.rows()) {
            for (String room : PageTable.codesIn(row.get(0))) {
                listed.add(row(room, new TreeSet<>(PageTable.codesIn(row.get(2)))));
            }
        }
        Rows.match("docs/ARCHITECTURE.md, " + column, rowsOf(enforced), listed);
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
