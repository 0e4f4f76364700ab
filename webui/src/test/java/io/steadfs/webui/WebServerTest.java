package io.steadfs.webui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.time.SystemClock;
import io.steadfs.webui.check.Runs;
import io.steadfs.webui.configuration.Configured;
import io.steadfs.webui.login.Users;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebServerTest {
    private static final int SERVERS = 1_000;
    private static final int SILENT = 500;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String HEALTH = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final List<String> READS = List.of(
            "session",
            "overview",
            "overview/history",
            "servers",
            "servers/io-1",
            "leases",
            "leases/accounts",
            "leases/holders",
            "open-files",
            "leaks",
            "audit",
            "fsck/kinds",
            "fsck/runs",
            "directory",
            "partitions",
            "timeline",
            "timeline/1",
            "configuration",
            "openapi.json",
            "users");
    private static final List<String> CHANGES = List.of(
            "leases/revocations", "leases/validations", "fsck/runs", "fsck/runs/1/cancel", "timeline/probes", "users");

    private final Path data;
    private final GeneratedCluster cluster = new GeneratedCluster(SERVERS, SILENT);
    private final Runs runs;
    private WebServer web;
    private Users.NewUser admin;

    WebServerTest(@TempDir Path data) throws IOException {
        this.data = data;
        runs = Runs.in(
                data.resolve("checks"),
                new SystemClock(),
                () -> {
                    throw new FsException(FsError.UNREACHABLE, "nobody is here");
                },
                () -> Handle.NONE);
        web = start();
        admin = web.first().orElseThrow();
    }

    private WebServer start() throws IOException {
        return start(WebServer.Limits.USUAL);
    }

    private WebServer start(WebServer.Limits limits) throws IOException {
        return WebServer.start(
                WebServer.Options.onLoopback(0, data),
                new WebServer.Views(cluster, new GeneratedDirectories(), runs, new NoTimelines(), configured()),
                new SystemClock(),
                limits);
    }

    private static Configured configured() {
        return Configured.of(
                "a test",
                new ConfigKeys(List.of(
                        ConfigKey.flag("stead.test.flag", false, "Whether."),
                        ConfigKey.text("stead.test.password", "", "Never shown."))),
                key -> key.equals("stead.test.password") ? Optional.of("hunter2") : Optional.empty());
    }

    @BeforeEach
    void serves() throws Exception {
        assertThat(new RestClient(web.uri()).get("health").body()).isEqualTo("{\"status\":\"ok\"}");
    }

    @AfterEach
    void stop() throws IOException {
        web.close();
        runs.close();
    }

    private RestClient loggedIn() throws Exception {
        RestClient browser = new RestClient(web.uri());
        assertThat(browser.login(admin.name(), admin.password()).status()).isEqualTo(200);
        return browser;
    }

    @Test
    void withoutLoginThereIsNothing() throws Exception {
        RestClient stranger = new RestClient(web.uri());
        for (String path : READS) {
            RestClient.Answer answer = stranger.get("api/v1/" + path);
            assertThat(answer.status()).as(path).isEqualTo(401);
            assertThat(answer.headers().firstValue("Content-Type")).as(path).contains("application/problem+json");
            assertThat(answer.json().get("detail").asText()).isEqualTo("log in first");
        }
        for (String path : CHANGES) {
            assertThat(stranger.post("api/v1/" + path, Map.of()).status())
                    .as(path)
                    .isEqualTo(401);
        }
        assertThat(stranger.send("DELETE", "api/v1/users/admin", Map.of()).status())
                .isEqualTo(401);
        assertThat(cluster.ended).hasValue(0);
    }

    @Test
    void theFirstPasswordIsToldOnceAndNotKept() throws Exception {
        String kept = Files.readString(data.resolve("users.json"));
        assertThat(kept).doesNotContain(admin.password()).contains("600000");
        assertThat(Files.getPosixFilePermissions(data.resolve("users.json"))).hasSize(2);
        web.close();
        web = start();
        assertThat(web.first()).isEmpty();
        loggedIn();
    }

    @Test
    void aWrongPasswordIsRefusedAndThenManyAreSlowedDown() throws Exception {
        RestClient guesser = new RestClient(web.uri());
        for (int i = 0; i < 5; i++) {
            assertThat(guesser.login("admin", "wrong").status()).isEqualTo(401);
        }
        RestClient.Answer slowed = guesser.login("admin", admin.password());
        assertThat(slowed.status()).isEqualTo(429);
        assertThat(slowed.headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(1L, 61L);
    }

    @Test
    void aChangeNeedsTheTokenOfItsSession() throws Exception {
        RestClient browser = loggedIn();
        browser.forgetToken();
        Map<String, String> body = Map.of("holder", "7", "confirm", "7");
        assertThat(browser.post("api/v1/leases/revocations", body).status()).isEqualTo(403);
        browser.token("another");
        assertThat(browser.post("api/v1/leases/revocations", body).status()).isEqualTo(403);
        assertThat(cluster.ended).hasValue(0);
    }

    @Test
    void aViewerLooksAndChangesNothing() throws Exception {
        RestClient operator = loggedIn();
        JsonNode made = operator.post("api/v1/users", Map.of("name", "eve", "role", "viewer"))
                .json();
        RestClient viewer = new RestClient(web.uri());
        assertThat(viewer.login("eve", made.get("password").asText()).status()).isEqualTo(200);
        for (String path : READS) {
            assertThat(viewer.get("api/v1/" + path).status()).as(path).isEqualTo(path.equals("users") ? 403 : 200);
        }
        for (String path : CHANGES) {
            assertThat(viewer.post("api/v1/" + path, Map.of()).status())
                    .as(path)
                    .isEqualTo(403);
        }
        assertThat(operator.send("DELETE", "api/v1/users/eve", Map.of()).status())
                .isEqualTo(204);
        assertThat(viewer.get("api/v1/overview").status())
                .as("its session ends with it")
                .isEqualTo(401);
    }

    @Test
    void headersHaveABound() throws Exception {
        RestClient stranger = new RestClient(web.uri());
        assertThat(stranger.get("health?" + "x".repeat(4_000)).status()).isEqualTo(200);
        assertThat(stranger.get("health?" + "x".repeat(10_000)).status()).isIn(414, 431);
    }

    @Test
    void revokedLeasesAreInTheAuditLog() throws Exception {
        RestClient browser = loggedIn();
        assertThat(browser.post("api/v1/leases/revocations", Map.of("holder", "7"))
                        .json()
                        .get("detail")
                        .asText())
                .isEqualTo("confirm: must be the holder, '7'");
        JsonNode revoked = browser.post("api/v1/leases/revocations", Map.of("holder", "7", "confirm", "7"))
                .json();
        assertThat(revoked.get("ended").asInt()).isEqualTo(2 * (SERVERS - 1));
        assertThat(revoked.get("problems").toString()).contains("io-" + SILENT);

        JsonNode audit = browser.get("api/v1/audit?q=revoke").json().get("items");
        assertThat(audit).hasSize(2);
        assertThat(audit.get(0).get("outcome").asText()).isEqualTo("done");
        assertThat(audit.get(1).get("outcome").asText()).isEqualTo("begun");
        assertThat(audit.get(1).get("user").asText()).isEqualTo("admin");
        assertThat(audit.get(1).get("target").asText()).isEqualTo("7");
    }

    @Test
    void listsOfAThousandServersComePageByPage() throws Exception {
        RestClient browser = loggedIn();
        Set<String> seen = new TreeSet<>();
        String cursor = "";
        int pages = 0;
        while (true) {
            JsonNode page =
                    browser.get("api/v1/servers?limit=300&cursor=" + cursor).json();
            page.get("items").forEach(each -> seen.add(each.get("server").asText()));
            pages++;
            if (page.get("next").isNull()) {
                break;
            }
            cursor = page.get("next").asText();
        }
        assertThat(seen).hasSize(SERVERS + 1);
        assertThat(pages).isEqualTo(4);
        assertThat(browser.get("api/v1/servers?state=silent").json().get("items"))
                .hasSize(1);
        assertThat(browser.get("api/v1/servers?q=IO-77&limit=5").json().get("items"))
                .hasSize(5);
    }

    @Test
    void aMillionLeasesComePageByPage() throws Exception {
        RestClient browser = loggedIn();
        JsonNode first = browser.get("api/v1/leases").json();
        assertThat(first.get("items")).hasSize(100);
        assertThat(first.get("items").get(0).get("name").asText()).isEqualTo(GeneratedCluster.HOSTILE);
        long seen = 0;
        String cursor = "";
        String last = "";
        JsonNode page;
        do {
            page = browser.get("api/v1/leases?limit=1000&cursor=" + cursor).json();
            seen += page.get("items").size();
            for (JsonNode each : page.get("items")) {
                String at = each.get("lease").asText();
                assertThat(at).isGreaterThan(last);
                last = at;
            }
            cursor = page.get("next").asText();
        } while (!page.get("next").isNull() && seen < 20_000);
        assertThat(seen).isEqualTo(20_000);
        assertThat(browser.get("api/v1/leases?server=io-999&state=over")
                        .json()
                        .get("items")
                        .size())
                .isPositive();
        JsonNode ofSilent = browser.get("api/v1/leases?server=io-" + SILENT).json();
        assertThat(ofSilent.get("items")).isEmpty();
        assertThat(ofSilent.get("problems").get(0).asText()).contains("io-" + SILENT);
    }

    @Test
    void openFilesOfAllShardsComePageByPage() throws Exception {
        RestClient browser = loggedIn();
        Set<String> seen = new TreeSet<>();
        String cursor = "";
        JsonNode page;
        do {
            page = browser.get("api/v1/open-files?limit=400&cursor=" + cursor).json();
            assertThat(page.get("items").size()).isLessThanOrEqualTo(400);
            for (JsonNode each : page.get("items")) {
                assertThat(seen.add(each.get("file").asText()))
                        .as(each.toString())
                        .isTrue();
            }
            cursor = page.get("next").asText();
        } while (!page.get("next").isNull());
        // One shard's rows tell nothing, and one shard does not answer.
        assertThat(seen).hasSize(2 * GeneratedCluster.OPEN_FILES_OF_A_SHARD);
        assertThat(page.get("problems").get(0).asText()).contains("shard 3 is silent");

        JsonNode first = browser.get("api/v1/open-files?limit=2").json().get("items");
        assertThat(first.get(0).get("path").asText()).isEqualTo("/" + GeneratedCluster.HOSTILE);
        assertThat(first.get(0).get("openedAt").asLong()).isEqualTo(1_700_000_000_000L);
        assertThat(first.get(1).get("openedAt").isNull()).isTrue();

        JsonNode found =
                browser.get("api/v1/open-files?limit=300&q=/LOGS/2/1499").json();
        int parts = 1;
        while (found.get("items").isEmpty() && !found.get("next").isNull()) {
            found = browser.get("api/v1/open-files?limit=300&q=/LOGS/2/1499&cursor="
                            + found.get("next").asText())
                    .json();
            parts++;
        }
        assertThat(parts).as("a search goes on by itself").isEqualTo(1);
        assertThat(found.get("items")).hasSize(1);
        assertThat(found.get("items").get(0).get("shard").asInt()).isEqualTo(2);
        for (String foreign : List.of("nonsense", "0/abcd", "0/xyz", "0/abc")) {
            assertThat(browser.get("api/v1/open-files?cursor=" + foreign)
                            .json()
                            .get("detail")
                            .asText())
                    .startsWith("cursor: '" + foreign + "' is none of this list");
        }
    }

    @Test
    void theOverviewSaysWhatIsWrong() throws Exception {
        JsonNode overview = loggedIn().get("api/v1/overview").json();
        assertThat(overview.get("verdict").asText()).isEqualTo("broken");
        assertThat(overview.get("reasons").get(0).get("text").asText()).isEqualTo("io-500 does not answer");
        assertThat(overview.get("servers").get("serving").asInt()).isEqualTo(SERVERS);
        assertThat(overview.get("handles").get("pooled").asInt()).isEqualTo(10 * (SERVERS - 1));
    }

    @Test
    void badParametersAreNamed() throws Exception {
        RestClient browser = loggedIn();
        assertThat(browser.get("api/v1/servers?limit=0").json().get("detail").asText())
                .isEqualTo("limit: '0' is not in 1 to 1000");
        assertThat(browser.get("api/v1/leases?cursor=nonsense")
                        .json()
                        .get("detail")
                        .asText())
                .isEqualTo("cursor: 'nonsense' is none of this list");
        assertThat(browser.get("api/v1/servers/io-4000").status()).isEqualTo(404);
        assertThat(browser.get("api/v1/nothing").status()).isEqualTo(404);
        RestClient.Answer broken = browser.post("api/v1/users", Map.of("name", List.of(1)));
        assertThat(broken.status()).isEqualTo(400);
        assertThat(broken.json().get("detail").asText()).startsWith("the body is not what is expected");
    }

    @Test
    void everyAnswerHasTheHeaders() throws Exception {
        RestClient browser = loggedIn();
        for (String path : List.of("", "app.js", "style.css", "health", "api/v1/overview", "api/v1/nothing", "none")) {
            java.net.http.HttpHeaders headers = browser.get(path).headers();
            assertThat(headers.firstValue("Content-Security-Policy")).as(path).isPresent();
            assertThat(headers.firstValue("X-Content-Type-Options")).as(path).contains("nosniff");
            assertThat(headers.firstValue("X-Frame-Options")).as(path).contains("DENY");
            assertThat(headers.firstValue("Referrer-Policy")).as(path).contains("no-referrer");
            assertThat(headers.firstValue("Server")).as(path).isEmpty();
            assertThat(headers.firstValue("Cache-Control").orElse(""))
                    .as(path)
                    .contains(path.startsWith("api/") ? "no-store" : "no-cache");
        }
    }

    @Test
    void thePageAndItsPartsAreServed() throws Exception {
        RestClient stranger = new RestClient(web.uri());
        assertThat(stranger.get("").body()).contains("<script");
        assertThat(stranger.get("app.js").headers().firstValue("Content-Type").orElse(""))
                .startsWith("text/javascript");
        for (String part : List.of(
                "webjars/preact/dist/preact.module.js",
                "webjars/chart.js/dist/chart.umd.min.js",
                "webjars/picocss__pico/css/pico.min.css")) {
            assertThat(stranger.get(part).status()).as(part).isEqualTo(200);
        }
        assertThat(stranger.get("webjars/preact/package.json/../../../../META-INF/MANIFEST.MF")
                        .status())
                .isNotEqualTo(200);
        assertThat(stranger.get("pages/").status()).as("no listing").isNotEqualTo(200);
    }

    @Test
    void anotherHostNameIsRefused() throws IOException {
        try (Socket socket =
                new Socket(web.address().getAddress(), web.address().getPort())) {
            socket.getOutputStream()
                    .write("GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            try (InputStream in = socket.getInputStream()) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 421");
            }
        }
    }

    @Test
    void theLastOperatorStays() throws Exception {
        RestClient browser = loggedIn();
        assertThat(browser.send("DELETE", "api/v1/users/admin", Map.of()).status())
                .isEqualTo(409);
        assertThat(browser.post("api/v1/users", Map.of("name", "Bad Name", "role", "viewer"))
                        .status())
                .isEqualTo(400);
        assertThat(browser.post("api/v1/users", Map.of("name", "admin", "role", "viewer"))
                        .status())
                .isEqualTo(409);
        assertThat(browser.send("DELETE", "api/v1/session", Map.of()).status()).isEqualTo(204);
        assertThat(browser.get("api/v1/overview").status()).isEqualTo(401);
    }

    @Test
    void aCheckThatCannotBeginSaysWhy() throws Exception {
        RestClient browser = loggedIn();
        RestClient.Answer begun = browser.post("api/v1/fsck/runs", Map.of());
        assertThat(begun.status()).isEqualTo(201);
        String id = begun.json().get("id").asText();
        assertThat(begun.headers().firstValue("Location").orElse("")).endsWith("/api/v1/fsck/runs/" + id);
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            JsonNode run = browser.get("api/v1/fsck/runs/" + id).json();
            assertThat(run.get("state").asText()).isEqualTo("failed");
            assertThat(run.get("error").asText()).isEqualTo("UNREACHABLE: nobody is here");
        });
        assertThat(browser.post("api/v1/fsck/runs/" + id + "/pause", Map.of()).status())
                .isEqualTo(409);
        assertThat(browser.post("api/v1/fsck/runs/7/pause", Map.of()).status()).isEqualTo(404);
        assertThat(browser.post("api/v1/fsck/runs", Map.of("repair", List.of("leaked-datafile")))
                        .json()
                        .get("detail")
                        .asText())
                .isEqualTo("confirm: must be 'repair', since this repairs");
        assertThat(browser.post("api/v1/fsck/runs", Map.of("repair", List.of("nothing")))
                        .json()
                        .get("detail")
                        .asText())
                .isEqualTo("repair: there is no kind 'nothing'");
        assertThat(browser.post("api/v1/fsck/runs", Map.of("rate", -1)).status())
                .isEqualTo(400);
    }

    @Test
    void namesOfOthersComeAsTheyAre() throws Exception {
        JsonNode directory = loggedIn().get("api/v1/directory?path=/").json();
        List<String> names = new ArrayList<>();
        Map<String, String> links = new HashMap<>();
        directory.get("items").forEach(each -> {
            if (each.get("type").asText().equals("link")) {
                links.put(each.get("name").asText(), each.get("target").asText());
            } else {
                assertThat(each.get("target").isNull()).isTrue();
                names.add(each.get("name").asText());
            }
        });
        assertThat(names).isEqualTo(GeneratedDirectories.HOSTILE);
        assertThat(links).isEqualTo(GeneratedDirectories.LINKS);
        assertThat(loggedIn().get("api/v1/directory?path=relative").status()).isEqualTo(400);
        assertThat(loggedIn().get("api/v1/directory?path=/none").status()).isEqualTo(404);
        assertThat(loggedIn()
                        .get("api/v1/directory?path=/home")
                        .json()
                        .get("path")
                        .asText())
                .isEqualTo("/");
        assertThat(loggedIn().get("api/v1/directory?path=/away").body()).contains("in another file system");
        assertThat(loggedIn().get("api/v1/directory?path=/round").body()).contains("more than 40 symbolic links");
    }

    @Test
    void passwordsInTheConfigurationAreNotShown() throws Exception {
        RestClient.Answer answer = loggedIn().get("api/v1/configuration");
        assertThat(answer.body()).doesNotContain("hunter2");
        assertThat(answer.json().get("items")).hasSize(2);
        assertThat(loggedIn()
                        .get("api/v1/configuration?q=FLAG")
                        .json()
                        .get("items")
                        .get(0)
                        .get("default")
                        .asText())
                .isEqualTo("false");
    }

    @Test
    void unknownFiltersAreNamed() throws Exception {
        RestClient browser = loggedIn();
        for (String path : List.of(
                "servers?role=zoo",
                "servers?state=fine",
                "leases?state=fine",
                "leases?server=mds-1",
                "leases?holder=xyz")) {
            assertThat(browser.get("api/v1/" + path).status()).as(path).isEqualTo(400);
        }
    }

    @Test
    void bodiesAreShortAndConnectionsOutliveRefusals() throws Exception {
        RestClient stranger = new RestClient(web.uri());
        for (int i = 0; i < 50; i++) {
            assertThat(stranger.post("api/v1/users", Map.of("name", "x".repeat(1000)))
                            .status())
                    .isEqualTo(401);
        }
        RestClient browser = loggedIn();
        for (int bytes : List.of(70_000, 1_000_000)) {
            RestClient.Answer longer = browser.post("api/v1/users", Map.of("name", "x".repeat(bytes)));
            assertThat(longer.status()).isEqualTo(413);
            assertThat(longer.json().get("detail").asText()).contains("65536");
        }
        assertThat(browser.get("api/v1/session").status()).isEqualTo(200);
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket(web.address().getAddress(), web.address().getPort());
        socket.setSoTimeout((int) SOON.toMillis());
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String statusLine(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
    }

    @Test
    void aBodyOfUnknownLengthIsRefused() throws Exception {
        try (Socket socket = connected()) {
            send(
                    socket,
                    "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
            assertThat(statusLine(socket)).startsWith("HTTP/1.1 411");
        }
    }

    @Test
    void connectionsHaveABoundAndTheNextOnesWait() throws Exception {
        assertThat(WebServer.Limits.USUAL).isEqualTo(new WebServer.Limits(500, 30_000, 100));
        List<Socket> held = new ArrayList<>();
        try {
            // None from before, as those of the test's other clients are.
            web.close();
            web = start();
            for (int i = 0; i < WebServer.Limits.USUAL.connections(); i++) {
                held.add(connected());
            }
            for (Socket each : held) {
                send(each, HEALTH);
                assertThat(statusLine(each)).startsWith("HTTP/1.1 200");
            }
            try (Socket next = connected()) {
                send(next, HEALTH);
                next.setSoTimeout(300);
                assertThatThrownBy(() -> statusLine(next)).isInstanceOf(SocketTimeoutException.class);
                held.remove(0).close();
                next.setSoTimeout((int) SOON.toMillis());
                assertThat(statusLine(next)).startsWith("HTTP/1.1 200");
            }
        } finally {
            for (Socket each : held) {
                each.close();
            }
        }
    }

    @Test
    void aConnectionOfWhichNothingComesEnds() throws Exception {
        web.close();
        web = start(new WebServer.Limits(500, 1_000, 100));
        for (String begun : List.of("", HEALTH, "GET /health HTTP/1.1\r\nHost: lo")) {
            try (Socket socket = connected()) {
                send(socket, begun);
                // An answer, if any, and then the end.
                String read = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                if (begun.equals(HEALTH)) {
                    assertThat(read).startsWith("HTTP/1.1 200");
                } else {
                    assertThat(read).as(begun).isEmpty();
                }
            }
        }
        assertThat(new RestClient(web.uri()).get("health").status()).isEqualTo(200);
    }

    @Test
    void aBodyThatComesSlowlyIsRefused() throws Exception {
        web.close();
        web = start(new WebServer.Limits(500, 30_000, 10_000));
        try (Socket socket = connected()) {
            send(
                    socket,
                    "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Content-Length: 60000\r\n\r\n{");
            ScheduledExecutorService slow = Executors.newSingleThreadScheduledExecutor();
            String answer;
            try {
                // Ends with the first byte that is refused.
                var unused = slow.scheduleAtFixedRate(
                        () -> {
                            try {
                                send(socket, " ");
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        0,
                        20,
                        TimeUnit.MILLISECONDS);
                answer = statusLine(socket);
            } finally {
                slow.shutdownNow();
            }
            assertThat(answer).startsWith("HTTP/1.1 408");
        }
        assertThat(new RestClient(web.uri()).get("health").status()).isEqualTo(200);
    }

    /** Told, not judged: machines differ. */
    @Test
    void tellsHowSoonFirstRowsCome() throws Exception {
        RestClient browser = loggedIn();
        for (String path :
                List.of("servers", "leases", "leases?q=client-77", "leases/accounts", "leases/holders", "overview")) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 5; i++) {
                long began = System.nanoTime();
                assertThat(browser.get("api/v1/" + path).status()).as(path).isEqualTo(200);
                least = Math.min(least, System.nanoTime() - began);
            }
            System.out.printf("%s of 1,000 servers and a million leases: %.0f ms%n", path, least / 1e6);
        }
    }

    @Test
    void aUserOfTheSameNameLaterDoesNotReviveASession() throws Exception {
        RestClient operator = loggedIn();
        Map<String, String> eve = Map.of("name", "eve", "role", "viewer");
        String password =
                operator.post("api/v1/users", eve).json().get("password").asText();
        RestClient quiet = new RestClient(web.uri());
        assertThat(quiet.login("eve", password).status()).isEqualTo(200);
        operator.send("DELETE", "api/v1/users/eve", Map.of());
        operator.post("api/v1/users", eve);
        assertThat(quiet.get("api/v1/overview").status()).isEqualTo(401);
    }

    @Test
    void aDamagedCheckHoldsUpNothing() throws Exception {
        for (String content : List.of("", "null", "{\"id\":\"x\"}", "[1]")) {
            Path checks = data.resolve("damaged-" + content.length());
            Files.writeString(Files.createDirectories(checks.resolve("7")).resolve("run.json"), content);
            try (Runs read = Runs.in(
                    checks,
                    new SystemClock(),
                    () -> {
                        throw new FsException(FsError.UNREACHABLE, "nobody is here");
                    },
                    () -> Handle.NONE)) {
                assertThat(read).isNotNull();
            }
        }
    }
}
