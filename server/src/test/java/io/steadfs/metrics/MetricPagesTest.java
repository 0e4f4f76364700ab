package io.steadfs.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.pages.Page;
import io.steadfs.pages.PageTable;
import io.steadfs.pages.Repository;
import io.steadfs.pages.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages and files about numbers of STATUS have those that {@link MetricNames} declares. */
class MetricPagesTest {
    private static final Pattern NUMBER = Pattern.compile("[a-z]+(\\.[a-zA-Z*-]+)+");
    private static final Pattern METRIC = Pattern.compile("\\bsteadfs_[a-z_]+[a-z]");

    private static final Pattern TEXT = Pattern.compile("\"([a-z]+(?:\\.[a-z-]+)*\\.?)\"");
    private static final Pattern COUNTED = Pattern.compile(
            "(?:putGauges|putCounters|getGaugesOrDefault|getCountersOrDefault"
                    + "|[gG]auges\\.(?:getOrDefault|put|get)|[cC]ounters\\.(?:count|add|get|put|getOrDefault))\\(\\s*\"([^\"]+)\"");

    /** Told by module fs-api, which counts for clients too. */
    private static final Set<String> OF_MESSAGES = Set.of(
            "messages.watching.",
            "messages.out.",
            "steps.",
            "connections.open",
            "requests.working",
            "requests.working.bytes");

    /** What Prometheus adds to a name. */
    private static final String SUFFIXES = "_(total|bucket|sum|count)$";

    /** Kept by a histogram, not told as a number. */
    private static final String HISTOGRAM = "steadfs_request_seconds";

    /** Numbers that are no counter and no gauge: fields of STATUS, in docs/metrics.md in words. */
    private static final Set<String> FIELDS = Set.of("epoch", "uptime.seconds", "problems");

    /** What the two servers' pages say that they count. */
    private static List<String> counted() {
        List<String> numbers = new ArrayList<>();
        List<Page> parts = List.of(
                Page.of("docs/metadata-server.md").part("What `status` counts"),
                Page.of("docs/io-server.md").part("STATUS"));
        for (Page part : parts) {
            numbers.addAll(part.table("of", "counters").codes("counters"));
            numbers.addAll(part.table("of", "gauges").codes("gauges"));
        }
        // A reference to the other page, and keys.
        numbers.removeIf(number -> number.endsWith("*") || number.startsWith("stead."));
        return numbers;
    }

    @Test
    void eachNumberIsOnThePageOfItsServer() {
        Set<String> listed = new TreeSet<>();
        for (String number : counted()) {
            Optional<MetricName> name = MetricNames.of(number);
            assertThat(name).as("pages of servers: " + number + " is too much").isPresent();
            name.ifPresent(each -> listed.add(each.status()));
        }
        List<String> declared = MetricNames.ALL.stream()
                .map(MetricName::status)
                .filter(number -> !FIELDS.contains(number))
                .toList();
        Rows.match(
                "docs/metadata-server.md, What `status` counts, and docs/io-server.md, STATUS, together",
                declared,
                listed);
    }

    /** A page that tells which number shows something tells of one that is there. */
    @Test
    void whatOtherPagesSayIsThere() {
        for (PageTable table : Page.of("docs/limits.md").tables()) {
            if (table.columns().contains("seen")) {
                for (String number : table.codes("seen")) {
                    // Of each kind of message, in STATUS beside the counters.
                    boolean isThere =
                            number.equals("latencies") || MetricNames.of(number).isPresent();
                    assertThat(isThere)
                            .as("docs/limits.md, seen: " + number + " is no number of STATUS")
                            .isTrue();
                }
            }
        }
        PageTable metrics = Page.of("docs/metrics.md").table("STATUS", "metric");
        for (String number : metrics.codes("STATUS")) {
            assertThat(MetricNames.of(number)).as("docs/metrics.md: " + number).isPresent();
        }
    }

    @Test
    void metricsThatPagesBoardAndAlertsNameAreThere() throws IOException {
        Set<String> declared = new TreeSet<>(Set.of(HISTOGRAM));
        MetricNames.ALL.forEach(name -> declared.add(name.metric()));
        List<String> files = new ArrayList<>(List.of("docs/grafana/steadfs.json", "conf/prometheus-alerts.yml"));
        Repository.pages().stream().map(Page::name).forEach(files::add);
        for (String file : files) {
            METRIC.matcher(Files.readString(Repository.home().resolve(file)))
                    .results()
                    .map(found -> found.group().replaceFirst(SUFFIXES, ""))
                    .forEach(metric -> assertThat(declared)
                            .as("metrics that %s names", file)
                            .contains(metric));
        }
    }

    /** What servers count and tools ask for by a name in the source. Clients have counters of their own. */
    @Test
    void numbersInSourcesAreDeclaredAndTheOthersHaveASource() throws IOException {
        Set<String> unknown = new TreeSet<>();
        Set<String> told = new TreeSet<>();
        for (String file : Repository.files(".java")) {
            if (file.contains("/src/main/") && !file.startsWith("fs-api/") && !file.endsWith("MetricNames.java")) {
                String source = Files.readString(Repository.home().resolve(file));
                TEXT.matcher(source).results().forEach(text -> told.add(text.group(1)));
                COUNTED.matcher(source)
                        .results()
                        .map(counted -> counted.group(1))
                        .filter(number -> MetricNames.of(number).isEmpty())
                        .forEach(number -> unknown.add(file + ": " + number));
            }
        }
        assertThat(unknown).as("numbers without a line in MetricNames").isEmpty();
        for (MetricName name : MetricNames.ALL) {
            boolean isTold = name.label().isPresent()
                    ? told.stream().anyMatch(text -> text.startsWith(name.status()))
                    : told.contains(name.status());
            assertThat(isTold || OF_MESSAGES.contains(name.status()))
                    .as("MetricNames has " + name.status() + ", which no source tells")
                    .isTrue();
        }
    }

    /** So that {@link #whatOtherPagesSayIsThere} does not pass over a table whose numbers are written otherwise. */
    @Test
    void numbersLookLikeNumbers() {
        assertThat(counted())
                .hasSizeGreaterThan(60)
                .allMatch(number -> NUMBER.matcher(number).matches());
    }
}
