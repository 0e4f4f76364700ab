package io.steadfs.it.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.web.WebService;
import io.steadfs.client.SteadFs;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.it.Cluster;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import io.steadfs.webui.RestClient;
import io.steadfs.webui.WebServer;
import io.steadfs.webui.configuration.Configured;
import io.steadfs.webui.login.Users;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import picocli.CommandLine;

/** What an administrator sees of directories that split over shards, in a real browser and on the command line. */
@Timeout(600)
@EnabledOnOs(OS.LINUX)
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PartitionsPageTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int SHARDS = 16;
    /** More than the root has names, so that it stays on one server. */
    private static final int SPLIT_ENTRIES = 32;

    private static final int MOST_PARTITIONS = 1_024;
    /** So many that one has its session at a shard of each server. */
    private static final int CLIENTS = 20;

    private static final int CONNECTIONS = 200;

    private static final ServerId AWAY = ServerId.parse("mds-2");
    private static final By SEGMENTS = By.cssSelector(".partition-map g.partition");
    private static final By MAP = By.cssSelector(".partition-map svg");
    private static final By CHOSEN = By.cssSelector(".partition-map .chosen");

    private final Cluster cluster;
    private final WebService web;
    private final Users.NewUser admin;
    private final RestClient rest;
    private final Description description;
    private final Chromium browser;
    private final AtomicInteger names = new AtomicInteger();

    PartitionsPageTest(@TempDir Path data) throws IOException, InterruptedException {
        cluster = Cluster.start(
                data.resolve("cluster"),
                2,
                SHARDS,
                1,
                Map.of(
                        "stead.partition.split.entries",
                        Integer.toString(SPLIT_ENTRIES),
                        "stead.partition.per.shard",
                        "64",
                        "stead.client.operation.timeout",
                        "60000"));
        web = WebService.start(
                new SteadUri(cluster.local().address()),
                WebServer.Options.onLoopback(0, data.resolve("webui")),
                Configured.of("a test", ServerKeys.LOCAL, key -> Optional.empty()));
        admin = web.first().orElseThrow();
        rest = new RestClient(web.uri());
        assertThat(rest.login(admin.name(), admin.password()).status()).isEqualTo(200);
        description = new Description(rest.get("api/v1/openapi.json").json());
        browser = new Chromium(data.resolve("profile"), Files.createDirectories(data.resolve("downloads")));
        browser.open(address(""));
        browser.type("User", admin.name());
        browser.type("Password", admin.password() + Keys.ENTER);
        browser.see("Cluster");
    }

    @AfterEach
    void noErrors() {
        browser.assertNoErrors();
    }

    @AfterAll
    void stop() throws IOException {
        browser.close();
        web.close();
        cluster.close();
    }

    private String address(String route) {
        return web.uri() + "#/" + route;
    }

    private SteadFs client() {
        return cluster.connect(Cluster.SUPERUSER, List.of());
    }

    private static FsPath path(String text) throws FsException {
        return FsPath.parse(text);
    }

    private static void make(SteadFs fs, String directory, int from, int to) throws FsException {
        for (int i = from; i < to; i++) {
            fs.createSymlink(path(directory).child("s" + i), "nowhere", false, 0755);
        }
    }

    private JsonNode partitions(String directory) throws IOException, InterruptedException {
        return description
                .check("GET", "/directory", rest.get("api/v1/directory?path=" + directory))
                .json()
                .get("partitions");
    }

    private JsonNode activity() throws IOException, InterruptedException {
        return description
                .check("GET", "/partitions", rest.get("api/v1/partitions"))
                .json();
    }

    private static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private double number(String script) {
        return Double.parseDouble(String.valueOf(browser.run("return " + script)));
    }

    private void press(CharSequence key) {
        browser.find(MAP).sendKeys(key);
    }

    private void picture(String name) throws IOException {
        browser.run("document.querySelector('main section.card, main section')?.scrollIntoView()");
        browser.picture(Path.of("target", "pages", name + ".png"));
    }

    @Test
    @Order(1)
    void directoryWithOnePartitionIsOneSegment() throws Exception {
        browser.open(address("directory?path=/"));
        browser.find(SEGMENTS);
        assertThat(browser.count(SEGMENTS)).isEqualTo(1);
        press(Keys.ARROW_RIGHT);
        assertThat(browser.find(CHOSEN).getText())
                .contains("Partition 0 on shard 0", "depth 0", "0000000000000000", "ffffffffffffffff");
        assertThat(browser.barriers()).isEmpty();
    }

    @Test
    @Order(2)
    void directoryThatSplitIsASegmentForEachPartition() throws Exception {
        try (SteadFs fs = client()) {
            fs.mkdirs(path("/a/b/wide"), 0755, true, false);
            make(fs, "/a/b/wide", 0, 400);
            await().atMost(SOON).until(() -> partitions("/a/b/wide").size() >= 8);
            make(fs, "/a/b/wide", 400, 420);
            await().atMost(SOON).untilAsserted(() -> {
                browser.open(address("overview"));
                browser.open(address("directory?path=/a/b/wide"));
                browser.find(SEGMENTS);
                List<JsonNode> told = list(partitions("/a/b/wide"));
                assertThat(browser.count(SEGMENTS)).isEqualTo(told.size());
                assertThat(browser.count(By.cssSelector(".partition-map .lane-ground")))
                        .isEqualTo(told.stream()
                                .map(each -> each.get("shard").asInt())
                                .distinct()
                                .count());
            });
            List<JsonNode> told = list(partitions("/a/b/wide"));
            assertThat(told.stream()
                            .mapToLong(each -> each.get("entries").asLong())
                            .sum())
                    .isEqualTo(420);
            assertThat(told.stream()
                            .mapToDouble(each -> each.get("namesPerSecond").asDouble())
                            .sum())
                    .isPositive();
            assertThat(told.get(0).get("firstHash").asText()).isEqualTo("0000000000000000");
            assertThat(told.get(told.size() - 1).get("lastHash").asText()).isEqualTo("ffffffffffffffff");
            // The segments cover all hashes, without a gap.
            assertThat(number("[...document.querySelectorAll('.partition-map g.partition')]"
                            + ".reduce((at, each) => { const r = each.querySelectorAll('rect')[1];"
                            + " const x = Number(r.getAttribute('x')); const w = Number(r.getAttribute('width'));"
                            + " return Math.abs(x - at) < 0.01 ? x + w + (w >= 3 ? 1 : 0) : NaN; }, 90)"))
                    .isCloseTo(1090, within(1.1));
            press(Keys.END);
            assertThat(browser.find(CHOSEN).getText()).contains("ffffffffffffffff");
            press(Keys.HOME);
            assertThat(browser.find(CHOSEN).getText()).contains("Partition 0 on shard");
            assertThat(browser.find(MAP).getDomAttribute("aria-activedescendant"))
                    .isEqualTo("partition-0");
            for (String scheme : List.of("light", "dark")) {
                browser.looks(1440, 900, scheme);
                assertThat(browser.barriers()).as(scheme).isEmpty();
                picture("partition-map-" + scheme);
            }
            browser.looks(1440, 900, "light");

            make(fs, "/a/b/wide", 420, 425);
            JsonNode hot = list(activity().get("directories")).stream()
                    .filter(each -> each.get("path").asText().equals("/a/b/wide"))
                    .findFirst()
                    .orElseThrow();
            assertThat(hot.get("namesPerSecond").asDouble()).isPositive();
            assertThat(hot.get("entries").asLong()).isBetween(1L, 425L);
            browser.open(address("partitions"));
            browser.see("/a/b/wide");
            browser.see("No partition splits or merges now.");
            assertThat(browser.barriers()).isEmpty();
            picture("hot-directories-light");
            JsonNode listed = command("--hottest", "1");
            assertThat(listed.get("directories")).hasSize(1);
            assertThat(listed.get("directories").get(0).get("path").asText()).isEqualTo("/a/b/wide");
            browser.clickLink("/a/b/wide");
            browser.find(SEGMENTS);
        }
    }

    private JsonNode command(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("partitions", "--uri", "stead://" + cluster.local().address(), "--json"));
        arguments.addAll(List.of(more));
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out));
        assertThat(command.execute(arguments.toArray(String[]::new))).isZero();
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    @Order(3)
    void asManyPartitionsAsADirectoryMayHaveAreShown() throws Exception {
        try (SteadFs fs = client()) {
            fs.mkdirs(path("/many"), 0755, false, true);
            byte[] files = Integer.toString(MOST_PARTITIONS * SPLIT_ENTRIES).getBytes(UTF_8);
            fs.setXattr(path("/many"), DirectoryHints.EXPECTED_FILES, files, true, true);
            make(fs, "/many", 0, 200);
        }
        assertThat(partitions("/many")).hasSize(MOST_PARTITIONS);
        browser.open(address("directory?path=/many"));
        browser.find(SEGMENTS);
        assertThat(browser.count(SEGMENTS)).isEqualTo(MOST_PARTITIONS);
        browser.see("Rows 1 to ");
        press(Keys.END);
        assertThat(browser.find(CHOSEN).getText()).contains("Partition 1,023", "depth 10", "ffffffffffffffff");
        press(Keys.ARROW_LEFT);
        assertThat(browser.find(CHOSEN).getText()).contains("Partition 511 ");
        browser.click(By.xpath("//summary[contains(., '1,024 partitions')]"));
        assertThat(browser.count(By.cssSelector("[aria-label='Partition map'] tbody tr")))
                .isEqualTo(MOST_PARTITIONS);
        browser.click(By.xpath("//summary[contains(., '1,024 partitions')]"));
        assertThat(browser.barriers()).isEmpty();
        picture("partition-map-1024-light");
        browser.looks(390, 844, "dark");
        assertThat((Long) browser.run("return document.documentElement.scrollWidth - innerWidth"))
                .isLessThanOrEqualTo(0);
        assertThat(browser.barriers()).isEmpty();
        picture("partition-map-1024-dark-narrow");
        browser.looks(1440, 900, "light");
    }

    @Test
    @Order(4)
    void numbersOfServersAreThoseOfTheMaps() throws Exception {
        int wide = partitions("/a/b/wide").size();
        assertThat(sum("gauges", "partitions.owned")).isEqualTo(wide + MOST_PARTITIONS);
        assertThat(sum("gauges", "partitions.directories")).isEqualTo(2);
        // A partition with few names begins a merge again and again, which the hint refuses.
        await().atMost(SOON).until(() -> sum("gauges", "partitions.giving") == 0);
        assertThat(sum("counters", "partitions.splits") + sum("counters", "partitions.halvings"))
                .isEqualTo(wide - 1);
        assertThat(sum("counters", "partitions.merges")).isZero();
        assertThat(sum("counters", "partitions.moved.names")).isBetween(wide - 1L, 425L * wide);
        assertThat(sum("counters", "partitions.moved.micros")).isPositive();
    }

    private long sum(String kind, String name) throws IOException, InterruptedException {
        long sum = 0;
        for (String server : List.of("mds-1", "mds-2")) {
            JsonNode told = rest.get("api/v1/servers/" + server).json();
            sum += told.get(kind).get(name).asLong();
        }
        return sum;
    }

    /** A directory gives names to a shard of a server that answers nothing: its attempts to split take seconds. */
    @Test
    @Order(5)
    void splitThatIsUnderWayIsShown() throws Exception {
        List<SteadFs> clients = new ArrayList<>();
        try (SteadFs patient = client()) {
            patient.mkdirs(path("/sessions"), 0755, false, true);
            for (int i = 0; i < CLIENTS; i++) {
                SteadFs fs =
                        cluster.connect(Cluster.SUPERUSER, List.of(), Map.of("stead.client.operation.timeout", "1500"));
                clients.add(fs);
                String name = Integer.toString(i);
                await().atMost(SOON).until(() -> isMade(fs, "/sessions", name));
            }
            String directory = directoryBesides(patient);
            browser.open("about:blank");
            int port = cluster.port(AWAY.toString()).port();
            cluster.local().stopServer(AWAY);
            try (ServerSocket silent = new ServerSocket(port, CONNECTIONS, InetAddress.getLoopbackAddress())) {
                assertThat(silent.isBound()).isTrue();
                splitIsShown(clients, directory);
            } finally {
                cluster.local().startServer(AWAY);
            }
        } finally {
            clients.forEach(SteadFs::close);
        }
        await().atMost(SOON).until(() -> activity().get("problems").isEmpty());
    }

    private void splitIsShown(List<SteadFs> clients, String directory) throws IOException {
        SteadFs fs = withSessionHere(clients, directory);
        // Some may be refused: the directory gives half of its names as soon as it has enough.
        IntStream.rangeClosed(1, SPLIT_ENTRIES).forEach(i -> isMade(fs, directory, "s" + i));
        browser.open(address("directory?path=" + directory));
        whileItTries(
                fs,
                directory,
                () -> browser.text().contains("gives the upper half of its range to the new partition 1"));
        picture("partition-map-splits-light");
        browser.open(address("partitions"));
        whileItTries(fs, directory, () -> browser.text().replaceAll("\\s+", " ").contains("partition 1 on shard"));
        picture("hand-overs-light");
        assertThat(browser.barriers()).isEmpty();
    }

    /** Each further name has the directory try again. */
    private void whileItTries(SteadFs fs, String directory, Callable<Boolean> seen) {
        await().atMost(SOON).until(() -> {
            isMade(fs, directory, "more-" + names.incrementAndGet());
            return seen.call();
        });
    }

    /** A directory of a shard that goes on. The next shard, which gets its first partition, is on the other server. */
    private String directoryBesides(SteadFs fs) throws IOException, InterruptedException {
        for (int i = 0; i < 16; i++) {
            String directory = "/d" + i;
            fs.mkdirs(path(directory), 0755, false, true);
            if (partitions(directory).get(0).get("server").asText().equals("mds-1")) {
                return directory;
            }
        }
        throw new AssertionError("no directory is on a shard of mds-1");
    }

    /** A client whose session has its home at a shard that goes on. */
    private static SteadFs withSessionHere(List<SteadFs> clients, String directory) {
        return await().atMost(SOON)
                .until(
                        () -> clients.stream()
                                .filter(each -> isMade(each, directory, "s0"))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static boolean isMade(SteadFs fs, String directory, String name) {
        try {
            fs.createSymlink(path(directory).child(name), "nowhere", false, 0755);
            return true;
        } catch (FsException e) {
            return e.error() == FsError.ALREADY_EXISTS;
        }
    }
}
