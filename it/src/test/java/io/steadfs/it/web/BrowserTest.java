package io.steadfs.it.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsException;
import io.steadfs.fsck.FindingKind;
import io.steadfs.it.FsckDamage;
import io.steadfs.it.HolderProcess;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import io.steadfs.webui.RestClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
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

/** What an operator does in a real browser, on a real cluster with damage. */
@Timeout(600)
@EnabledOnOs(OS.LINUX)
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BrowserTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    /** {@code true}: pictures come into docs/images. */
    private static final String WRITE = "screenshots.write";

    private static final String HOSTILE_HOLDER = "<img src=x onerror=\"window.hacked=1\">\u202e\u001b[2J";
    private static final List<String> HOSTILE = List.of(
            "<script>window.hacked=1<\\script>",
            "\"><img src=x onerror=window.hacked=1>",
            "a'b\"c`d&amp;",
            "evil\u202Etxt.exe",
            "bell\u0007esc\u001b[31m",
            "line\nbreak\u2028",
            "\u05e9\u05dc\u05d5\u05dd",
            "back\\slash",
            "{{7*7}}${1}");

    /** Messages of a create with two columns, nothing to refill; the longest at last. */
    private static final Map<String, Long> FORMULAS = formulas();

    /** Leases for two columns, and a shard that asks another. */
    private static final int MOST_MORE = 4;

    private static final ServerId MDS = ServerId.parse("mds-1");

    /** Pictures that README shows. */
    private static final Set<String> SHOWN = Set.of("overview", "repaired", "timeline");

    private final WebGround ground;
    private final Chromium browser;
    private final Path downloads;
    private final Map<String, String> pages = new LinkedHashMap<>();

    BrowserTest(@TempDir Path data) throws IOException {
        ground =
                new WebGround(data, Map.of("stead.io.lease.duration", "8000", "stead.io.lease.check.interval", "5000"));
        downloads = Files.createDirectories(data.resolve("downloads"));
        browser = new Chromium(data.resolve("profile"), downloads);
        browser.open(address(""));
    }

    @AfterEach
    void nothingOfOthersRan() {
        assertThat(browser.run("return window.hacked")).isNull();
        browser.assertNoErrors();
    }

    @AfterAll
    void stop() throws IOException {
        browser.close();
        ground.close();
    }

    private static Map<String, Long> formulas() {
        Map<String, Long> formulas = new LinkedHashMap<>();
        formulas.put("unified", 1L);
        formulas.put("eager", 1L);
        formulas.put("delegated", 1L);
        formulas.put("lazy", 1L);
        formulas.put("precreated", 2L);
        formulas.put("leased", 4L);
        formulas.put("compound", 4L);
        formulas.put("basecase", 5L);
        return formulas;
    }

    /** Into docs/images, if that is wished and it is one of those; else into target. */
    private void picture(String name, String scheme, boolean wide) throws IOException {
        boolean isDocumented = Boolean.getBoolean(WRITE) && wide && SHOWN.contains(name);
        Path folder = isDocumented ? Path.of("..", "docs", "images") : Path.of("target", "pages");
        browser.picture(folder.resolve(name + "-" + scheme + (wide ? "" : "-narrow") + ".png"));
    }

    private String address(String route) {
        return ground.web().uri() + "#/" + route;
    }

    @Test
    @Order(1)
    void logsIn() {
        browser.type("User", "admin");
        browser.type("Password", "wrong");
        browser.clickButton("Log in");
        browser.see("user or password is wrong");
        assertThat(browser.barriers()).isEmpty();
        browser.type("Password", ground.admin().password() + Keys.ENTER);
        browser.see("Cluster");
        browser.see("Handles");
    }

    @Test
    @Order(2)
    void namesOfOthersAreTextEverywhere() throws IOException {
        try (SteadFs fs = ground.connect(Map.of())) {
            fs.mkdirs(FsPath.ROOT.child("hostile"), 0755, false, false);
            for (String name : HOSTILE) {
                fs.mkdirs(FsPath.ROOT.child("hostile").child(name), 0755, false, false);
            }
            fs.mkdirs(FsPath.ROOT.child("linked"), 0755, false, false);
            fs.createSymlink(FsPath.ROOT.child("linked").child("to-hostile"), "../hostile", false, 0755);
            fs.createSymlink(FsPath.ROOT.child("linked").child("away"), HOSTILE.get(0), false, 0755);
        }
        browser.open(address("directory?path=/hostile"));
        for (String name : HOSTILE) {
            browser.see(shown(name));
        }
        assertThat(browser.count(By.cssSelector("main img, main script"))).isZero();
        browser.click(By.partialLinkText("onerror"));
        browser.see("The directory is empty.");
        try (SteadFs fs = ground.connect(Map.of("stead.client.name", HOSTILE_HOLDER));
                FileWriter open = fs.create(FsPath.ROOT.child(HOSTILE.get(0)), CreateOptions.DEFAULT)) {
            open.write(new byte[1_234], 0, 1_234);
            open.hflush();
            browser.open(address("leases/open-files"));
            browser.see("/" + shown(HOSTILE.get(0)));
            browser.see(shown(HOSTILE_HOLDER));
            assertThat(browser.barriers()).isEmpty();
        }
        browser.open(address("directory?path=/linked"));
        browser.see("→");
        browser.see(shown(HOSTILE.get(0)));
        assertThat(browser.count(By.cssSelector("main img, main script"))).isZero();
        browser.click(By.linkText("to-hostile"));
        browser.see(shown(HOSTILE.get(0)));
        browser.open(address("directory?path=/hostile/nothing"));
        browser.see("nothing");
        browser.errors();
    }

    /** As the page shows it. */
    private static String shown(String name) {
        boolean isHidden = name.codePoints().anyMatch(BrowserTest::isHidden);
        StringBuilder shown = new StringBuilder();
        name.codePoints().forEach(point -> {
            if (isHidden(point)) {
                shown.append(String.format(Locale.ROOT, "\\u%04x", point));
            } else if (isHidden && point == '\\') {
                shown.append("\\\\");
            } else {
                shown.appendCodePoint(point);
            }
        });
        return shown.toString();
    }

    private static boolean isHidden(int point) {
        return List.of((int) Character.CONTROL, (int) Character.FORMAT, (int) Character.LINE_SEPARATOR, (int)
                        Character.PARAGRAPH_SEPARATOR)
                .contains(Character.getType(point));
    }

    @Test
    @Order(3)
    void leasesOfAKilledClientTurnSuspectAndAreReclaimed() throws Exception {
        try (HolderProcess holder = HolderProcess.start(
                ground.cluster().local().address(),
                List.of("stead.create.protocol=precreated", "stead.client.name=" + HOSTILE_HOLDER))) {
            holder.say("create /by-the-holder", "CREATED");
            browser.open(address("leases/holders"));
            browser.see(shown(HOSTILE_HOLDER));
            browser.open(address("leases"));
            await().atMost(SOON).until(() -> browser.cell("io-1", "Pooled") > 0);
            // Without the shards nothing can be reclaimed, so the page has time to show what is suspect.
            ground.cluster().local().stopServer(MDS);
            holder.kill();
        }
        await().atMost(SOON).until(() -> browser.cell("io-1", "Suspect") > 0);
        ground.cluster().local().startServer(MDS);
        await().atMost(SOON)
                .until(() ->
                        Stream.of("Pooled", "Suspect", "Orphan").allMatch(each -> browser.cell("io-1", each) == 0));
        browser.open(address("leases/holders"));
        browser.see("Nobody holds a lease.");
    }

    @Test
    @Order(4)
    void aRevokedHolderThatIsAliveGoesOn() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong made = new AtomicLong();
        CompletableFuture<Void> job = CompletableFuture.runAsync(() -> create(over, made));
        try {
            await().atMost(SOON).until(() -> made.get() > 10);
            browser.open(address("leases/holders"));
            browser.type("Search holder, name", "the live job");
            browser.see("the live job");
            browser.click(By.cssSelector("button[aria-label^='Revoke the leases of']"));
            String holder = browser.find(By.cssSelector("dialog strong.code")).getText();
            assertThat(browser.barriers()).isEmpty();
            browser.confirm(holder);
            browser.see("of " + holder + " made over");
            long before = made.get();
            await().atMost(SOON).until(() -> made.get() > before + 50);
        } finally {
            over.set(true);
        }
        job.join();
        browser.open(address("audit?q=revoke"));
        browser.see("revoke leases");
    }

    /** One failure ends it with that. */
    private void create(AtomicBoolean over, AtomicLong made) {
        try (SteadFs fs =
                ground.connect(Map.of("stead.create.protocol", "precreated", "stead.client.name", "the live job"))) {
            while (!over.get()) {
                String name = "/job/" + made.get() % 100;
                try (FileWriter out = fs.create(
                        FsPath.parse(name),
                        CreateOptions.DEFAULT.withLayout(2, 1 << 16).withOverwrite(true))) {
                    out.write(new byte[100], 0, 100);
                }
                made.incrementAndGet();
            }
        } catch (FsException e) {
            throw new CompletionException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Order(5)
    void damageIsFoundAndRepaired() throws Exception {
        browser.open(address("fsck"));
        browser.click(By.xpath("//label[contains(., 'Compare all bytes')]//input"));
        browser.clickButton("Check");
        browser.see("Something is wrong: see the findings of the last pass.");
        int all = WebGround.EACH * FsckDamage.KINDS.size();
        browser.see("Rows 1 to 100");
        for (FindingKind kind : FsckDamage.KINDS) {
            assertThat(browser.cell(kind.label(), "Findings")).as(kind.label()).isEqualTo(WebGround.EACH);
        }
        browser.choose("Kind", "dangling-dirent");
        browser.see("Rows 1 to " + WebGround.EACH);
        browser.choose("Kind", "all");
        pages.put("check", route());
        browser.clickLink("Download CSV");
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(downloaded(".csv").map(BrowserTest::lines)).contains(all + 1L));

        browser.clickButton("Repair findings");
        browser.see("What is done");
        for (FindingKind kind : FindingKind.givingUp()) {
            browser.click(By.xpath("//label[normalize-space()='" + kind.label() + "']//input"));
        }
        browser.clickButton("Repair ...");
        browser.see("Each is looked at again first");
        browser.confirm("repair");
        browser.see("Nothing is wrong any more.");
        browser.choose("Pass", "1");
        browser.see("repaired");
        pages.put("repaired", route());

        RestClient client = ground.loggedIn();
        JsonNode last = client.post("api/v1/fsck/runs", Map.of("scrub", true)).json();
        await().atMost(SOON).untilAsserted(() -> {
            JsonNode run =
                    client.get("api/v1/fsck/runs/" + last.get("id").asText()).json();
            assertThat(run.get("state").asText()).isEqualTo("ended");
            assertThat(run.get("findings").asInt()).as("%s", run).isZero();
            assertThat(run.get("complete").asBoolean()).isTrue();
        });
    }

    @Test
    @Order(6)
    void theTimelineOfEachProtocolHasABarForEachMessage() throws IOException {
        Map<String, Long> messages = new LinkedHashMap<>();
        browser.open(address("timeline"));
        for (String protocol : FORMULAS.keySet()) {
            browser.choose("Protocol", protocol);
            browser.clickButton("Create a file and draw it");
            browser.see("A create by " + protocol);
            long rows = browser.count(By.cssSelector("[aria-label='Messages of the operation'] tbody tr"));
            assertThat(rows).as(protocol).isPositive();
            assertThat(browser.count(By.cssSelector(".probe svg g.message rect.sent")))
                    .as(protocol)
                    .isEqualTo(rows);
            assertThat(browser.count(By.cssSelector(".probe svg g.message rect.worked")))
                    .as("%s: bars of servers", protocol)
                    .isEqualTo(rows);
            assertThat(browser.count(By.cssSelector(".probe svg g.message rect.commit")))
                    .as("%s: commits", protocol)
                    .isPositive();
            messages.put(protocol, rows);
        }
        System.out.println("bars of a create with two columns: " + messages);
        // N + 3, N + 2 and so on; with leases that had to be waited for, and what one shard asks another for a
        // directory of its own.
        FORMULAS.forEach((protocol, least) ->
                assertThat(messages.get(protocol)).as(protocol).isBetween(least, least + MOST_MORE));
        browser.see("Recent operations");
        pages.put("timelines", "timeline");
        pages.put(
                "operation",
                "timeline/" + browser.find(By.cssSelector(".probe dl bdi.code")).getText());
        for (String scheme : List.of("light", "dark")) {
            browser.looks(1440, 900, scheme);
            browser.run("document.querySelector('.probe').scrollIntoView()");
            picture("timeline", scheme, true);
        }
        browser.looks(1440, 900, "light");
    }

    private String route() {
        return String.valueOf(browser.run("return location.hash")).substring(2);
    }

    private Optional<Path> downloaded(String ending) throws IOException {
        try (Stream<Path> files = Files.list(downloads)) {
            return files.filter(each -> each.toString().endsWith(ending)).findFirst();
        }
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each page, light and dark, wide and narrow: nothing that stands in the way of people, and a picture. */
    @Test
    @Order(8)
    void everyPageIsForEverybody() throws Exception {
        pages.put("overview", "");
        pages.put("servers", "servers");
        pages.put("server", "servers/io-1");
        pages.put("metadata-server", "servers/mds-1");
        pages.put("latencies", "latencies");
        pages.put("leases", "leases");
        pages.put("holders", "leases/holders");
        pages.put("all-leases", "leases/all");
        pages.put("leaks", "leaks");
        pages.put("checks", "fsck");
        pages.put("directory", "directory?path=/hostile");
        pages.put("partitions", "partitions");
        pages.put("configuration", "configuration");
        pages.put("audit", "audit");
        pages.put("users", "users");
        for (String scheme : List.of("light", "dark")) {
            for (int width : List.of(1440, 390)) {
                browser.looks(width, width > 500 ? 900 : 844, scheme);
                // Colours by both schemes, arrangement at both widths; the other two for pictures alone.
                boolean isUsual = width > 500 == scheme.equals("light");
                if (!isUsual && !Boolean.getBoolean(WRITE)) {
                    continue;
                }
                for (Map.Entry<String, String> page : pages.entrySet()) {
                    String what = page.getKey() + " " + scheme + " " + width;
                    browser.open("about:blank");
                    browser.open(address(page.getValue()));
                    browser.find(By.cssSelector("main h1"));
                    await().atMost(SOON)
                            .until(() -> !browser.text().contains("Asking ...")
                                    && browser.count(By.cssSelector("[aria-busy=true]")) == 0);
                    if (isUsual) {
                        assertThat(browser.barriers()).as(what).isEmpty();
                    }
                    assertThat((Long) browser.run("return document.documentElement.scrollWidth - innerWidth"))
                            .as("%s is too wide", what)
                            .isLessThanOrEqualTo(0);
                    picture(page.getKey(), scheme, width > 500);
                }
            }
        }
        browser.looks(1440, 900, "light");
    }

    @Test
    @Order(9)
    void aServerThatDoesNotAnswerIsNamed() throws Exception {
        ground.cluster().local().stopServer(ServerId.parse("io-2"));
        browser.open(address(""));
        browser.see("io-2");
        browser.see("Broken");
        browser.see("Of 2 IO servers 1 answered.");
        browser.see("cannot be reached; counted is what was known of it at");
        assertThat(browser.count(By.cssSelector(".verdict li"))).isEqualTo(1);
        assertThat(browser.find(By.cssSelector(".verdict li a")).getDomAttribute("href"))
                .endsWith("servers/io-2");
        browser.open(address("leases"));
        browser.see("io-2");
        browser.open(address("servers"));
        browser.see("does not run");
        browser.open(address("servers/io-2"));
        browser.see("io-2");
        ground.cluster().local().startServer(ServerId.parse("io-2"));
        browser.open(address(""));
        browser.see("All is well");
    }

    @Test
    @Order(10)
    void copiesOfDirectoriesAreShownByShard() throws Exception {
        try (SteadFs fs = ground.connect(Map.of())) {
            for (int i = 0; i < 8; i++) {
                FsPath directory = FsPath.ROOT.child("copied-" + i);
                fs.mkdirs(directory, 0755, false, true);
                WebGround.write(fs, directory + "/file");
                fs.rename(directory, FsPath.ROOT.child("moved-" + i), RenameMode.NO_REPLACE);
            }
        }
        browser.open(address("servers/mds-1"));
        browser.see("Copies of directories");
        By rows = By.cssSelector("[aria-label='Copies of directories'] tbody tr");
        await().atMost(SOON).untilAsserted(() -> {
            JsonNode server = ground.operator().get("api/v1/servers/mds-1").json();
            assertThat(browser.count(rows)).isEqualTo(2);
            String first = browser.find(rows).getText().replaceAll("[,\\s]+", " ");
            assertThat(server.at("/counters/shard.0.copies.recalls").asLong()).isPositive();
            assertThat(first)
                    .startsWith("0 " + server.at("/gauges/shard.0.copies.held") + " "
                            + server.at("/gauges/shard.0.copies.given") + " "
                            + server.at("/counters/shard.0.copies.asked") + " "
                            + server.at("/counters/shard.0.copies.dropped") + " "
                            + server.at("/counters/shard.0.copies.recalls") + " "
                            + server.at("/counters/shard.0.copies.waits") + " ")
                    .endsWith(" us 0 0 nothing");
        });
    }
}
