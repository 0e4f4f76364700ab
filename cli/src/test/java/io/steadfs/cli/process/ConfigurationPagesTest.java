package io.steadfs.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.ClientKeys;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.configuration.ConfigFile;
import io.steadfs.configuration.ReferencePage;
import io.steadfs.hadoop.AdapterKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The pages and files about configuration in the repository are what the programs understand. To write them anew:
 *
 * <pre>./mvnw -pl cli -am test -Dtest=ConfigurationPagesTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dconfiguration.write=true</pre>
 */
class ConfigurationPagesTest {
    private static final ConfigKeys CLIENT = AdapterKeys.ALL.and(ClientKeys.ALL);

    private static final String INTRODUCTION = """
            # Configuration
            Every key, its default and its meaning. This page and the files in `conf/` are written from the keys that the
            programs read; a test compares them.

            **Servers** read a [HOCON](https://github.com/lightbend/config/blob/main/HOCON.md) file: `stead mds --conf FILE`,
            and likewise `ioserver`, `format`, `local`, `zookeeper`. `conf/` has one for each, with all keys commented out. Above the file
            stand `--set KEY=VALUE` and, in `STEAD_JAVA_OPTS`, `-DKEY=VALUE`. An unknown key or an unusable value stops the
            start; the message names key, value, file and line.

            **Clients** read Hadoop's configuration, where each key has the prefix `fs.`: `stead.close.sync` is
            `fs.stead.close.sync`; in Spark `spark.hadoop.fs.stead.close.sync`.

            Numbers may end in `k`, `m` or `g` for powers of 1024. Times, whose unit below is milliseconds or microseconds, may be
            written with a unit: `200us`, `200ms`, `5s`, `2m` (minutes), `1h`, `1d`; a number alone has the key's own unit. Logs are not configured here but by Java properties in
            `STEAD_JAVA_OPTS`: `-Dstead.log.level=info` and `-Dstead.log.file=FILE`; without a file they go to standard error.
            """;

    private static Path home() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("bin/stead")) ? here : here.resolveSibling("");
    }

    private static ConfigKeys without(ConfigKeys all, ConfigKeys less) {
        Set<String> names = new HashSet<>();
        less.list().forEach(key -> names.add(key.name()));
        return new ConfigKeys(
                all.list().stream().filter(key -> !names.contains(key.name())).toList());
    }

    /** Keys that both kinds of server understand. */
    private static ConfigKeys shared() {
        return without(ServerKeys.MDS, without(ServerKeys.MDS, ServerKeys.IO));
    }

    private static Map<String, String> pages() {
        ConfigKeys shared = shared();
        StringBuilder page = new StringBuilder(INTRODUCTION);
        page.append("\n## Every server\n").append(ReferencePage.table(shared));
        page.append("\n## Metadata server: `stead mds`\n").append(ReferencePage.table(without(ServerKeys.MDS, shared)));
        page.append("\n## IO server: `stead ioserver`\n").append(ReferencePage.table(without(ServerKeys.IO, shared)));
        page.append("\n## A new file system: `stead format`\nAnd those of ZooKeeper above.\n\n")
                .append(ReferencePage.table(without(ServerKeys.FORMAT, shared)));
        page.append("\n## ZooKeeper of our own: `stead zookeeper`\n").append(ReferencePage.table(ServerKeys.ZOOKEEPER));
        page.append("\n## Clients\nIn Hadoop's configuration, with the prefix `fs.`; see above.\n\n")
                .append(ReferencePage.table(CLIENT));
        Map<String, String> pages = new TreeMap<>();
        pages.put("docs/configuration.md", page.toString());
        pages.put("conf/mds.conf", ReferencePage.file("Configuration of stead mds.", ServerKeys.MDS));
        pages.put("conf/ioserver.conf", ReferencePage.file("Configuration of stead ioserver.", ServerKeys.IO));
        pages.put("conf/format.conf", ReferencePage.file("Configuration of stead format.", ServerKeys.FORMAT));
        pages.put("conf/zookeeper.conf", ReferencePage.file("Configuration of stead zookeeper.", ServerKeys.ZOOKEEPER));
        pages.put("conf/local.conf", ReferencePage.file("Configuration of stead local.", ServerKeys.LOCAL));
        return pages;
    }

    @Test
    void whatIsCommittedIsWhatTheProgramsUnderstand() throws IOException {
        for (Map.Entry<String, String> page : pages().entrySet()) {
            Path file = home().resolve(page.getKey());
            if (Boolean.getBoolean("configuration.write")) {
                Files.createDirectories(file.resolveSibling(""));
                Files.writeString(file, page.getValue());
            }
            assertThat(file)
                    .as("%s; the class comment says how to write it anew", file)
                    .exists();
            assertThat(Files.readString(file))
                    .as("%s; the class comment says how to write it anew", file)
                    .isEqualTo(page.getValue());
        }
    }

    /** HOCON cannot hold a value for stead.a and one for stead.a.b. */
    @Test
    void noKeyIsTheBeginningOfAnother() {
        TreeSet<String> names = new TreeSet<>();
        ServerKeys.LOCAL.and(CLIENT).list().forEach(key -> names.add(key.name()));
        List<String> clashes = new ArrayList<>();
        for (String name : names) {
            names.tailSet(name, false).stream()
                    .filter(other -> other.startsWith(name + "."))
                    .forEach(other -> clashes.add(name + " and " + other));
        }
        assertThat(clashes).isEmpty();
    }

    @Test
    void everyDefaultCanBeUsedAndEveryKeyIsExplained() {
        for (ConfigKey<?> key : ServerKeys.LOCAL.and(CLIENT).list()) {
            assertThat(key.meaning()).as(key.name()).endsWith(".");
            assertThat(key.name()).as(key.name()).matches("stead(\\.[a-z0-9]+)+");
        }
        assertThat(ConfigFile.values(Optional.empty(), ServerKeys.LOCAL.and(CLIENT), new Properties()))
                .isEmpty();
    }
}
