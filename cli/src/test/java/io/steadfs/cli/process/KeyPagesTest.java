package io.steadfs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.ClientKeys;
import io.steadfs.config.ConfigKey;
import io.steadfs.hadoop.AdapterKeys;
import io.steadfs.pages.Page;
import io.steadfs.pages.PageTable;
import io.steadfs.pages.Repository;
import io.steadfs.pages.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each configuration key that a page names is there, with the default that the page tells. */
class KeyPagesTest {
    private static final Pattern KEY =
            Pattern.compile("(?<![\\w./-])(?:fs\\.)?(?<name>stead(?:\\.[a-z0-9]+)+)(?<all>\\.\\*)?");
    private static final Pattern KEY_AND_DEFAULT = Pattern.compile("`(?<name>stead[a-z0-9.]+)` (?<default>[^`]+)");

    /** Of Hadoop, and what pages make up to show what is meant. */
    private static final Set<String> OTHERS = Set.of("stead.x", "stead.name.servers", "stead.impl");

    private static final Map<String, ConfigKey<?>> KEYS = keys();

    private static Map<String, ConfigKey<?>> keys() {
        Map<String, ConfigKey<?>> keys = new TreeMap<>();
        ServerKeys.LOCAL.and(AdapterKeys.ALL).and(ClientKeys.ALL).list().forEach(key -> keys.put(key.name(), key));
        return keys;
    }

    private static boolean isThere(MatchResult found) {
        String name = found.group(1);
        return found.group(2) == null
                ? KEYS.containsKey(name) || OTHERS.contains(name)
                : KEYS.keySet().stream().anyMatch(key -> key.startsWith(name + "."));
    }

    /** Results tell what was so once. */
    @Test
    void eachKeyOnAPageIsThere() {
        List<String> unknown = new ArrayList<>();
        for (Page page : Repository.pages()) {
            if (!page.name().startsWith("docs/results/")) {
                for (Page.Line line : page.lines()) {
                    KEY.matcher(line.text())
                            .results()
                            .filter(found -> !isThere(found))
                            .forEach(found -> unknown.add(page.name() + ":" + line.number() + ": " + found.group()));
                }
            }
        }
        assertThat(unknown).as("keys that no program reads").isEmpty();
    }

    @Test
    void theBoundsOfConnectionsHaveTheirDefaults() {
        PageTable bounds = Page.of("docs/wire-format.md").part("Bounds").table("key", "default", "");
        assertThat(bounds.rows()).hasSizeGreaterThan(15);
        for (List<String> row : bounds.rows()) {
            assertThat(isDefault(PageTable.codesIn(row.get(0)).get(0), row.get(1), true))
                    .as("docs/wire-format.md, Bounds: " + row.subList(0, 2))
                    .isTrue();
        }
    }

    @Test
    void theLimitsOfAShardHaveTheirDefaults() {
        PageTable limits = Page.of("docs/metadata-server.md").part("Limits").table("limit", "key", "at the limit");
        int compared = 0;
        for (String cell : limits.column("key")) {
            for (MatchResult key : KEY_AND_DEFAULT.matcher(cell).results().toList()) {
                assertThat(isDefault(key.group(1), key.group(2), true))
                        .as("docs/metadata-server.md, Limits: " + key.group())
                        .isTrue();
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(10);
    }

    /** Where a row has one key and its limit begins with a number, that is the key's default. */
    @Test
    void whatAPeerCanMakeGrowHasItsDefaults() {
        int compared = 0;
        for (PageTable table : Page.of("docs/limits.md").tables()) {
            if (table.columns().contains("key") && table.columns().contains("most")) {
                List<String> most = table.column("most");
                List<String> keys = table.column("key");
                for (int row = 0; row < most.size(); row++) {
                    List<String> names = PageTable.codesIn(keys.get(row));
                    if (names.size() == 1 && KEYS.containsKey(names.get(0))) {
                        assertThat(isDefault(names.get(0), most.get(row), false))
                                .as("docs/limits.md: " + names + " " + most.get(row))
                                .isTrue();
                        compared++;
                    }
                }
            }
        }
        assertThat(compared).isGreaterThan(40);
    }

    /** @param isNumber the text must begin with one */
    private static boolean isDefault(String name, String text, boolean isNumber) {
        ConfigKey<?> key = KEYS.get(name);
        if (key == null) {
            return false;
        }
        OptionalLong told = DefaultInWords.of(text, key.unit());
        return told.isEmpty() ? !isNumber : key.defaultText().equals(Long.toString(told.getAsLong()));
    }

    @Test
    void theAdaptersKeysAreOnItsPage() {
        PageTable table = Page.of("docs/hadoop.md").part("Settings").table("key", "default", "meaning");
        List<String> listed = new ArrayList<>(table.codes("key"));
        // One for each name that URIs use; a client's key with another default; Hadoop's.
        listed.removeAll(List.of("fs.stead.NAME.servers", "fs.stead.create.protocol", "fs.permissions.umask-mode"));
        List<String> declared =
                AdapterKeys.ALL.list().stream().map(key -> "fs." + key.name()).toList();
        Rows.match(table.where(), declared, listed);
        for (List<String> row : table.rows()) {
            ConfigKey<?> key = KEYS.get(PageTable.codesIn(row.get(0)).get(0).replaceFirst("^fs\\.", ""));
            if (key != null && listed.contains("fs." + key.name())) {
                Object told = key.parse().apply(row.get(1));
                assertThat(told)
                        .as("docs/hadoop.md, Settings: " + row.get(0))
                        .isEqualTo(key.parse().apply(key.defaultText()));
            }
        }
    }
}
