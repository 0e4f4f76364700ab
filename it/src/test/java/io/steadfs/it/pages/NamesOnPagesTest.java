package io.steadfs.it.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.pages.Page;
import io.steadfs.pages.PageTable;
import io.steadfs.pages.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A class, kind, error or variable that a page names in code is somewhere in the sources: a renamed one is renamed on the pages too. Results
 * and decisions are left out, since they tell what was so once.
 */
class NamesOnPagesTest {
    private static final List<String> SOURCES =
            List.of(".java", ".proto", ".js", ".json", ".xml", ".yml", ".conf", ".properties", ".html");

    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** {@code TwoWords} or {@code TWO_WORDS}. */
    private static final Pattern NAME = Pattern.compile("\\b([A-Z][a-z0-9]+([A-Z][a-z0-9]*)+|[A-Z]+(_[A-Z]+)+)\\b");

    /** Of Hadoop and systemd, or made up to show what is meant. */
    private static final Set<String> OTHERS = Set.of(
            "MultipartUploader", "UPDATE_LENGTH", "HOST_PORT", "LimitNOFILE", "DargLine", "FuzzTest", "NameTest");

    private static Set<String> words() throws IOException {
        Set<String> words = new HashSet<>(OTHERS);
        for (String file : Repository.files("")) {
            boolean isScript = file.startsWith("bin/") || file.equals("mvnw");
            if (isScript || SOURCES.stream().anyMatch(file::endsWith)) {
                WORD.matcher(Files.readString(Repository.home().resolve(file)))
                        .results()
                        .map(MatchResult::group)
                        .forEach(words::add);
            }
        }
        return words;
    }

    @Test
    void whatPagesNameIsThere() throws IOException {
        Set<String> words = words();
        Set<String> unknown = new TreeSet<>();
        for (Page page : Repository.pages()) {
            if (page.name().startsWith("docs/results/") || page.name().startsWith("docs/decisions/")) {
                continue;
            }
            for (Page.Line line : page.lines()) {
                for (String code : line.isFenced() ? List.<String>of() : PageTable.codesIn(line.text())) {
                    NAME.matcher(code)
                            .results()
                            .map(MatchResult::group)
                            .filter(name -> !words.contains(name))
                            .forEach(name -> unknown.add(page.name() + ":" + line.number() + ": " + name));
                }
            }
        }
        assertThat(unknown).as("names on pages that no source has").isEmpty();
    }
}
