package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Which files are open for writing, as {@code bin/stead open-files} tells it of real writers. */
@Timeout(600)
class OpenFilesListTest {
    private final Cluster cluster;

    OpenFilesListTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, 1, 3, 2, Map.of());
    }

    @AfterEach
    void stop() throws IOException {
        cluster.close();
    }

    private static FsPath path(String text) throws IOException {
        return FsPath.parse(text);
    }

    private SteadClient client(String user, String protocol) {
        return cluster.connect(
                user, List.of(), Map.of("stead.client.name", user + "-job", "stead.create.protocol", protocol));
    }

    /** All lines, in the order of paths. */
    private List<JsonNode> listed(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("open-files", "--uri", "stead://" + cluster.local().address(), "--json"));
        arguments.addAll(List.of(more));
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out));
        assertThat(command.execute(arguments.toArray(String[]::new))).isZero();
        List<JsonNode> files = new ArrayList<>();
        new ObjectMapper().readTree(out.toString()).get("files").forEach(files::add);
        return files;
    }

    private static List<String> paths(List<JsonNode> files) {
        return files.stream().map(each -> each.get("path").asText()).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"unified", "basecase", "precreated"})
    void aFileIsListedWhileItIsWritten(String protocol) throws IOException {
        try (SteadFs root = client(Cluster.SUPERUSER, "unified");
                SteadClient anna = client("anna", protocol)) {
            root.mkdirs(path("/d"), 0777, true, false);
            long before = System.currentTimeMillis();
            FileWriter writer = anna.create(path("/d/log"), CreateOptions.DEFAULT);
            writer.write(new byte[1000], 0, 1000);
            writer.hflush();

            List<JsonNode> files = listed();
            assertThat(paths(files)).containsExactly("/d/log");
            JsonNode file = files.get(0);
            assertThat(file.get("isThere").asBoolean()).isTrue();
            assertThat(file.get("user").asText()).isEqualTo("anna");
            assertThat(file.get("client").asText()).contains("anna-job");
            assertThat(file.get("session").asText()).matches("[0-9a-f]{8}");
            assertThat(file.get("length").asLong()).isGreaterThanOrEqualTo(1000);
            assertThat(file.get("openedMillis").asLong()).isBetween(before, System.currentTimeMillis());

            writer.close();
            assertThat(listed()).isEmpty();
            FileWriter appender = anna.append(path("/d/log"));
            assertThat(paths(listed())).containsExactly("/d/log");
            appender.close();
            assertThat(listed()).isEmpty();
        }
    }

    @Test
    void afterARenameAboveItTheLineSaysThatItWasThere() throws IOException {
        try (SteadFs root = client(Cluster.SUPERUSER, "unified")) {
            root.mkdirs(path("/a/b"), 0755, true, false);
            FileWriter writer = root.create(path("/a/b/f"), CreateOptions.DEFAULT);
            FileWriter other = root.create(path("/c"), CreateOptions.DEFAULT);
            root.rename(path("/a/b"), path("/a/x"), RenameMode.NO_REPLACE);
            List<JsonNode> files = listed();
            assertThat(paths(files)).containsExactly("/a/b/f", "/c");
            assertThat(files.get(0).get("isThere").asBoolean()).isFalse();
            assertThat(files.get(1).get("isThere").asBoolean()).isTrue();
            assertThat(paths(listed("--under", "/a"))).containsExactly("/a/b/f");
            assertThat(listed("--user", "nobody-else")).isEmpty();

            FileWriter instead = root.create(path("/a/b/f"), CreateOptions.DEFAULT);
            assertThat(paths(listed("--under", "/a"))).containsExactly("/a/b/f", "/a/b/f");
            writer.close();
            other.close();
            instead.close();
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(listed()).isEmpty());
        }
    }
}
