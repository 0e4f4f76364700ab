package io.steadfs.it.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.fsck.FindingKind;
import io.steadfs.it.Cluster;
import io.steadfs.it.FsckDamage;
import io.steadfs.path.FsPath;
import io.steadfs.webui.RestClient;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.glassfish.jersey.server.model.Resource;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every operation of the interface on a real cluster with damage: answers as described, refused without login, role or token. */
@Timeout(300)
@TestInstance(Lifecycle.PER_CLASS)
class WebInterfaceTest {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final String API = "api/v1";

    private final WebGround ground;
    private final Description description;

    WebInterfaceTest(@TempDir java.nio.file.Path data) throws IOException, InterruptedException {
        ground = new WebGround(data, Map.of());
        description =
                new Description(ground.operator().get(API + "/openapi.json").json());
    }

    @AfterAll
    void stop() throws IOException {
        ground.close();
    }

    private RestClient.Answer get(RestClient client, String path, String query)
            throws IOException, InterruptedException {
        return description.check("GET", path, client.get(API + path + query));
    }

    private RestClient.Answer get(RestClient client, String described, String part, String value)
            throws IOException, InterruptedException {
        return description.check("GET", described, client.get(API + described.replace(part, value)));
    }

    private RestClient.Answer post(RestClient client, String described, String id, Map<String, ?> body)
            throws IOException, InterruptedException {
        return description.check("POST", described, client.post(API + described.replace("{id}", id), body));
    }

    @Test
    void whatIsThereIsDescribedAndNothingElse() {
        Set<String> there = new TreeSet<>();
        for (JavaClass each : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.steadfs.webui")) {
            if (each.isAnnotatedWith(Path.class)) {
                Resource resource = Resource.from(each.reflect());
                add(resource, "", there);
            }
        }
        Set<String> described = new TreeSet<>();
        description.operations().forEach(each -> described.add(each.toString()));
        assertThat(described).isEqualTo(there);
    }

    private static void add(Resource resource, String above, Set<String> to) {
        String path = (above + "/" + resource.getPath()).replaceAll("/+", "/");
        for (ResourceMethod method : resource.getResourceMethods()) {
            to.add(method.getHttpMethod() + " " + path);
        }
        resource.getChildResources().forEach(child -> add(child, path, to));
    }

    @Test
    void withoutLoginEverythingIsRefused() throws Exception {
        RestClient stranger = new RestClient(ground.web().uri());
        for (Description.Operation each : description.operations()) {
            if (each.toString().equals("POST /session")) {
                continue;
            }
            RestClient.Answer answer = stranger.send(
                    each.method(), API + each.path().replaceAll("\\{[a-z]+}", "1"), Map.of("confirm", "repair"));
            assertThat(answer.status()).as("%s", each).isEqualTo(401);
            description.check(each.method(), each.path(), answer);
        }
        assertThat(stranger.get(API + "/nothing").status()).isEqualTo(401);
        assertThat(stranger.get("health").status()).isEqualTo(200);
    }

    @Test
    void aViewerChangesNothingAndNobodyDoesWithoutTheToken() throws Exception {
        RestClient operator = ground.operator();
        String password = operator.post(API + "/users", Map.of("name", "eve", "role", "viewer"))
                .json()
                .get("password")
                .asText();
        RestClient viewer = new RestClient(ground.web().uri());
        assertThat(viewer.login("eve", password).status()).isEqualTo(200);
        RestClient forged = ground.loggedIn();
        forged.forgetToken();
        for (Description.Operation each : description.operations()) {
            if (each.method().equals("GET") || each.path().equals("/session")) {
                continue;
            }
            for (RestClient client : List.of(viewer, forged)) {
                RestClient.Answer answer = client.send(
                        each.method(), API + each.path().replaceAll("\\{[a-z]+}", "1"), Map.of("confirm", "repair"));
                assertThat(answer.status()).as("%s", each).isEqualTo(403);
                description.check(each.method(), each.path(), answer);
            }
        }
        assertThat(description
                        .check("GET", "/users", viewer.get(API + "/users"))
                        .status())
                .isEqualTo(403);
        assertThat(forged.send("DELETE", API + "/session", Map.of()).status()).isEqualTo(403);
    }

    @Test
    void everyAnswerIsAsDescribed() throws Exception {
        RestClient client = new RestClient(ground.web().uri());
        description.check("POST", "/session", client.post(API + "/session", Map.of("user", "admin")));
        description.check("POST", "/session", client.login("admin", "wrong"));
        description.check(
                "POST",
                "/session",
                client.login(ground.admin().name(), ground.admin().password()));
        get(client, "/session", "");

        try (SteadFs holder = ground.connect(Map.of("stead.create.protocol", "precreated"));
                var open = holder.create(FsPath.parse("/held <b>"), CreateOptions.DEFAULT.withLayout(2, 1 << 16))) {
            JsonNode leases = get(client, "/leases", "").json().get("items");
            assertThat(leases.size()).isPositive();
            String id = leases.get(0).get("holder").asText();
            assertThat(get(client, "/leases", "?holder=" + id + "&state=open&q=IO-1")
                            .json()
                            .get("items")
                            .size())
                    .isPositive();
            assertThat(get(client, "/leases/accounts", "").json().get("items")).hasSize(2);
            // Accounts may be a second old.
            await().atMost(SOON)
                    .until(() -> get(client, "/leases/holders", "?limit=1")
                            .json()
                            .get("next")
                            .isTextual());
            get(client, "/leases", "?state=none");
            JsonNode writers = get(client, "/open-files", "").json().get("items");
            assertThat(writers).hasSize(1);
            assertThat(writers.get(0).get("path").asText()).isEqualTo("/held <b>");
            assertThat(writers.get(0).get("user").asText()).isEqualTo(Cluster.SUPERUSER);
            assertThat(writers.get(0).get("session").asText()).matches("[0-9a-f]{8}");
            assertThat(get(client, "/open-files", "?q=nobody").json().get("items"))
                    .isEmpty();
            get(client, "/open-files", "?cursor=xyz");
            post(client, "/leases/revocations", "", Map.of("holder", id));
            assertThat(post(client, "/leases/revocations", "", Map.of("holder", id, "confirm", id))
                            .json()
                            .get("ended")
                            .asInt())
                    .isPositive();
            open.write(new byte[10], 0, 10);
        }
        post(client, "/leases/validations", "", Map.of("confirm", "validate"));
        await().atMost(SOON)
                .until(() -> get(client, "/leases/accounts", "").json().findValues("suspect").stream()
                        .allMatch(each -> each.asLong() == 0));

        get(client, "/overview", "");
        await().atMost(SOON)
                .until(() -> get(client, "/overview/history", "")
                                .json()
                                .get("points")
                                .size()
                        > 1);
        get(client, "/leaks", "");
        assertThat(get(client, "/servers", "").json().get("items")).hasSize(3);
        get(client, "/servers/{server}", "{server}", "io-1");
        get(client, "/servers/{server}", "{server}", "io-77");
        get(client, "/latencies", "?server=mds-1");
        get(client, "/latencies", "?server=nobody");
        get(client, "/audit", "?limit=3");
        get(client, "/configuration", "?q=lease");
        configurations(client);
        get(client, "/openapi.json", "");
        timelines(client);
        directories(client);

        get(client, "/users", "");
        post(client, "/users", "", Map.of("name", "Bad Name", "role", "viewer"));
        post(client, "/users", "", Map.of("name", "bob", "role", "viewer"));
        post(client, "/users", "", Map.of("name", "bob", "role", "viewer"));
        for (int i = 0; i < 2; i++) {
            description.check("DELETE", "/users/{name}", client.send("DELETE", API + "/users/bob", Map.of()));
        }
        checks(ground.operator());
        RestClient again = ground.loggedIn();
        description.check("DELETE", "/session", again.send("DELETE", API + "/session", Map.of()));
        assertThat(again.get(API + "/overview").status()).isEqualTo(401);
        assertThat(description.notMet()).isEmpty();
    }

    /** Each server's own, with where it stands. */
    private void configurations(RestClient client) throws Exception {
        for (String server : List.of("mds-1", "io-1")) {
            JsonNode told = get(client, "/configuration", "?limit=1000&server=" + server)
                    .json();
            assertThat(told.get("of").asText()).isEqualTo(server);
            Map<String, String> origins = new TreeMap<>();
            told.get("items")
                    .forEach(each -> origins.put(
                            each.get("key").asText(), each.get("origin").asText()));
            assertThat(origins)
                    .containsEntry("stead.port", "")
                    .containsEntry("stead.zookeeper.servers", "set")
                    .containsEntry("stead.cluster.secret.file", "set");
            assertThat(origins.containsKey("stead.io.small.max")).isEqualTo(server.equals("io-1"));
            assertThat(origins.containsKey("stead.mds.queue.bytes")).isEqualTo(server.equals("mds-1"));
        }
        get(client, "/configuration", "?server=io-77");
        get(client, "/configuration", "?server=nobody");
    }

    private void timelines(RestClient client) throws Exception {
        post(client, "/timeline/probes", "", Map.of("protocol", "adaptive"));
        post(client, "/timeline/probes", "", Map.of("protocol", "unified", "columns", 65));
        JsonNode probe = post(client, "/timeline/probes", "", Map.of("protocol", "basecase", "columns", 2))
                .json();
        // And what one shard asks another, where the directory is at another one than the metafile.
        assertThat(probe.get("messages").size()).isBetween(2 + 3, 2 + 3 + 4);
        JsonNode operations = get(client, "/timeline", "?q=CREATE_METAFILE").json();
        assertThat(operations.get("items").findValuesAsText("trace"))
                .contains(probe.get("trace").asText());
        get(client, "/timeline", "?cursor=xyz");
        JsonNode again = get(
                        client,
                        "/timeline/{trace}",
                        "{trace}",
                        probe.get("trace").asText())
                .json();
        assertThat(again.get("messages").size()).isGreaterThanOrEqualTo(2 + 3);
        get(client, "/timeline/{trace}", "{trace}", "xyz");
    }

    private void directories(RestClient client) throws Exception {
        JsonNode root = get(client, "/directory", "").json();
        assertThat(root.get("partitions").size()).isEqualTo(1);
        assertThat(root.get("partitions").get(0).get("server").asText()).isEqualTo("mds-1");
        Set<String> names = new TreeSet<>();
        String cursor = "";
        do {
            JsonNode page = get(client, "/directory", "?path=/sound-3&limit=7&cursor=" + cursor)
                    .json();
            page.get("items").forEach(each -> names.add(each.get("name").asText()));
            cursor = page.get("next").asText("");
        } while (!cursor.isEmpty());
        assertThat(names.size()).isBetween(40, 63);
        JsonNode activity = get(client, "/partitions", "").json();
        assertThat(activity.get("problems")).isEmpty();
        assertThat(activity.get("handOvers")).isEmpty();
        get(client, "/partitions", "?limit=0");
        get(client, "/directory", "?path=/nothing");
        get(client, "/directory", "?path=relative");
        get(client, "/directory", "?path=/sound-3&cursor=xyz");
    }

    /** A check is held, ended, and goes on over a restart of the interface; its findings are repaired, and are gone. */
    private void checks(RestClient first) throws Exception {
        assertThat(get(first, "/fsck/kinds", "").json().get("items")).hasSize(FindingKind.values().length);
        post(first, "/fsck/runs", "", Map.of("rate", -1));
        JsonNode begun = post(first, "/fsck/runs", "", Map.of("scrub", true, "rate", 500))
                .json();
        String id = begun.get("id").asText();
        post(first, "/fsck/runs", "", Map.of());
        post(first, "/fsck/runs/{id}/pause", id, Map.of());
        assertThat(state(first, id)).isEqualTo("paused");
        long rows = get(first, "/fsck/runs/{id}", "{id}", id).json().get("rows").asLong();
        post(first, "/fsck/runs/{id}/resume", id, Map.of());
        await().atMost(SOON)
                .until(() -> get(first, "/fsck/runs/{id}", "{id}", id)
                                .json()
                                .get("rows")
                                .asLong()
                        > rows);
        post(first, "/fsck/runs/{id}/cancel", id, Map.of());
        await().atMost(SOON).until(() -> state(first, id).equals("cancelled"));
        post(first, "/fsck/runs/{id}/cancel", id, Map.of());
        post(first, "/fsck/runs/{id}/resume", id, Map.of());
        ground.restartWeb();

        RestClient client = ground.loggedIn();
        assertThat(state(client, id)).isEqualTo("interrupted");
        post(client, "/fsck/runs/{id}/resume", id, Map.of());
        await().atMost(SOON).until(() -> state(client, id).equals("ended"));
        JsonNode run = get(client, "/fsck/runs/{id}", "{id}", id).json();
        int all = WebGround.EACH * FsckDamage.KINDS.size();
        assertThat(run.get("findings").asInt()).as("%s", run).isEqualTo(all);
        assertThat(run.get("complete").asBoolean()).isTrue();
        post(client, "/fsck/runs/{id}/resume", id, Map.of());

        Set<String> seen = new TreeSet<>();
        String cursor = "";
        do {
            JsonNode page = description
                    .check(
                            "GET",
                            "/fsck/runs/{id}/findings",
                            client.get(API + "/fsck/runs/" + id + "/findings?limit=13&cursor=" + cursor))
                    .json();
            page.get("items").forEach(each -> seen.add(each.toString()));
            cursor = page.get("next").asText("");
        } while (!cursor.isEmpty());
        assertThat(seen).hasSize(all);
        String findings = API + "/fsck/runs/" + id + "/findings";
        assertThat(client.get(findings + "?kind=dangling-dirent&pass=1").json().get("items"))
                .hasSize(WebGround.EACH);
        assertThat(client.get(findings + "?kind=none").status()).isEqualTo(400);
        assertThat(client.get(findings + "?pass=2").status()).isEqualTo(400);
        assertThat(get(client, "/fsck/runs/{id}/findings.csv", "{id}", id)
                        .body()
                        .lines())
                .hasSize(all + 1);
        assertThat(get(client, "/fsck/runs/{id}/findings.json", "{id}", id).json())
                .hasSize(all);
        assertThat(client.get(API + "/fsck/runs/77/findings.csv").status()).isEqualTo(404);

        List<String> kinds = java.util.Arrays.stream(FindingKind.values())
                .map(FindingKind::label)
                .toList();
        post(client, "/fsck/runs/{id}/repair", id, Map.of("kinds", kinds));
        post(client, "/fsck/runs/{id}/repair", id, Map.of("kinds", kinds, "confirm", "repair"));
        await().atMost(SOON).until(() -> state(client, id).equals("ended"));
        JsonNode repaired = get(client, "/fsck/runs/{id}", "{id}", id).json();
        assertThat(repaired.get("repaired").asInt()).isGreaterThanOrEqualTo(all);
        String pass = repaired.get("pass").asText();
        assertThat(client.get(findings + "?pass=" + pass).json().get("items")).isEmpty();
        JsonNode before =
                client.get(findings + "?pass=1&kind=leaked-datafile").json().get("items");
        assertThat(before.get(0).get("repair").get("repaired").asBoolean()).isTrue();
        aCheckSettles(client);
        get(client, "/fsck/runs", "?q=ended");
        assertThat(client.get(API + "/audit?q=check").json().get("items").size())
                .isGreaterThan(8);
    }

    /** A check that finds nothing ends the hold of a salvaged server, as that of the command does. */
    private void aCheckSettles(RestClient client) throws Exception {
        ground.salvage("mds-1/shard-1");
        // mds-1 was started again. The web interface waits a moment before it connects to it anew.
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(problems(client)).anyMatch(each -> each.contains("is not settled")));

        JsonNode looked = checked(client, Map.of());
        assertThat(looked.get("settled")).hasSize(1);
        assertThat(looked.get("settled").get(0).asText())
                .startsWith("shard 1, salvaged")
                .endsWith("is not settled by a check that compares no bytes (--scrub)");
        assertThat(problems(client)).anyMatch(each -> each.contains("is not settled"));

        JsonNode compared = checked(client, Map.of("scrub", true));
        assertThat(compared.get("settled")).hasSize(1);
        assertThat(compared.get("settled").get(0).asText())
                .startsWith("shard 1, ")
                .endsWith(", is settled");
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(problems(client)).noneMatch(each -> each.contains("is not settled")));
        assertThat(checked(client, Map.of("scrub", true)).get("settled")).isEmpty();
    }

    private JsonNode checked(RestClient client, Map<String, ?> body) throws Exception {
        String id = post(client, "/fsck/runs", "", body).json().get("id").asText();
        await().atMost(SOON).until(() -> state(client, id).equals("ended"));
        JsonNode run = get(client, "/fsck/runs/{id}", "{id}", id).json();
        assertThat(run.get("findings").asInt()).as("%s", run).isZero();
        return run;
    }

    private List<String> problems(RestClient client) throws Exception {
        return get(client, "/servers/{server}", "{server}", "mds-1").json().findValues("problems").stream()
                .map(JsonNode::toString)
                .toList();
    }

    private String state(RestClient client, String id) throws IOException, InterruptedException {
        return get(client, "/fsck/runs/{id}", "{id}", id).json().get("state").asText();
    }
}
