package io.steadfs.it.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.pages.Page;
import io.steadfs.pages.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every relative link of a page leads to a file, and to a heading where it names one. */
class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(<?([^)\\s>]+)>?[^)]*\\)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern OUTSIDE = Pattern.compile("[a-z][a-z0-9+.-]*:.*");
    private static final Pattern PATH_OF_PAGE = Pattern.compile("(?<![\\w/.-])docs/[\\w/-]+\\.(md|json|yml)\\b");

    private final Map<String, Page> pages = new TreeMap<>();

    LinksTest() {
        Repository.pages().forEach(page -> pages.put(page.name(), page));
    }

    @Test
    void everyLinkLeadsSomewhere() {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Page page : pages.values()) {
            for (Page.Line line : page.lines()) {
                String text = line.isFenced() ? "" : CODE.matcher(line.text()).replaceAll("");
                for (String target : LINK.matcher(text)
                        .results()
                        .map(link -> link.group(1))
                        .filter(link -> !OUTSIDE.matcher(link).matches())
                        .toList()) {
                    links++;
                    problem(page, target)
                            .ifPresent(problem -> broken.add(page.name() + ":" + line.number() + ": " + problem));
                }
            }
        }
        assertThat(links).isGreaterThan(400);
        assertThat(broken).as("links of pages").isEmpty();
    }

    private Optional<String> problem(Page page, String target) {
        int mark = target.indexOf('#');
        String file = mark < 0 ? target : target.substring(0, mark);
        Path from = Path.of(page.name());
        String path = file.isEmpty()
                ? page.name()
                : from.resolveSibling(file).normalize().toString();
        if (!Files.exists(Repository.home().resolve(path))) {
            return Optional.of(target + " leads to no file");
        }
        Page there = pages.get(path);
        if (mark < 0 || there == null) {
            return Optional.empty();
        }
        String anchor = target.substring(mark + 1);
        return Anchors.of(there).contains(anchor)
                ? Optional.empty()
                : Optional.of(target + ": " + path + " has no heading with the anchor " + anchor);
    }

    /** Comments and messages of programs name pages by their paths. */
    @Test
    void pagesThatSourcesNameAreThere() throws IOException {
        List<String> missing = new ArrayList<>();
        for (String source : Repository.files(".java", ".proto", ".js", ".xml", ".yml", ".conf", ".md")) {
            if (!source.startsWith("docs/results/")) {
                PATH_OF_PAGE
                        .matcher(Files.readString(Repository.home().resolve(source)))
                        .results()
                        .map(found -> found.group())
                        .filter(path -> !Files.exists(Repository.home().resolve(path)))
                        .forEach(path -> missing.add(source + ": " + path));
            }
        }
        assertThat(missing).as("pages that are named").isEmpty();
    }

    @Test
    void anchorsAreMadeAsGitHubDoes() {
        assertThat(Anchors.anchor("`stead fsck`")).isEqualTo("stead-fsck");
        assertThat(Anchors.anchor("A file's life: open, _closed_ [twice](x.md)"))
                .isEqualTo("a-files-life-open-_closed_-twice");
        assertThat(Anchors.of(Page.parse("a", "# A\n## B-c\n# A\n# A\n"))).containsExactly("a", "a-1", "a-2", "b-c");
    }
}
