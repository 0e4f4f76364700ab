package io.steadfs.it.shards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What an administrator does with a cluster by commands. */
record AdminShards(String zooKeeper, Path cluster) {
    private record Result(int exitCode, String out, String err) {
        JsonNode json() throws IOException {
            return new ObjectMapper().readTree(out);
        }
    }

    private static Result run(List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Map<String, String> ofTests = takePropertiesOfTests();
        try {
            int exitCode = Main.commandLine()
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(arguments.toArray(String[]::new));
            return new Result(exitCode, out.toString(), err.toString());
        } finally {
            ofTests.forEach(System::setProperty);
        }
    }

    /** Commands read the properties of their process; those of the tests are no configuration. */
    private static Map<String, String> takePropertiesOfTests() {
        Map<String, String> taken = new HashMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith("stead.")) {
                taken.put(name, System.getProperty(name));
                System.clearProperty(name);
            }
        }
        return taken;
    }

    private Result shards(List<String> words) {
        List<String> all = new ArrayList<>(List.of("admin", "shards"));
        all.addAll(words);
        all.addAll(List.of(
                "--json",
                "--set",
                "stead.zookeeper.servers=" + zooKeeper,
                "--set",
                "stead.cluster.secret.file=" + cluster.resolve("cluster.secret")));
        return run(all);
    }

    /** Adds shards and waits until they serve. */
    void add(String... more) throws IOException {
        add(0, more);
    }

    /** @param exitCode 0 = they serve, 3 = they are joining */
    void add(int exitCode, String... more) {
        List<String> words = new ArrayList<>(List.of("add"));
        words.addAll(List.of(more));
        Result result = shards(words);
        assertThat(result.exitCode()).as("%s%s", result.out(), result.err()).isEqualTo(exitCode);
    }

    /** Why an addition is refused. */
    String refusal(String... more) {
        List<String> words = new ArrayList<>(List.of("add"));
        words.addAll(List.of(more));
        Result result = shards(words);
        assertThat(result.exitCode()).as("%s%s", result.out(), result.err()).isEqualTo(1);
        return result.err();
    }

    /**
     * Moves a shard.
     *
     * @param exitCode 0 = it serves there, 1 = it does not move, 2 = wrong usage, 3 = it moves
     * @return what the command said beside its result
     */
    String move(int exitCode, int shard, int server, String... more) {
        List<String> words =
                new ArrayList<>(List.of("move", Integer.toString(shard), "--to", Integer.toString(server)));
        words.addAll(List.of(more));
        Result result = shards(words);
        assertThat(result.exitCode()).as("%s%s", result.out(), result.err()).isEqualTo(exitCode);
        return result.err();
    }

    /** The shards whose server has closed them so that they can move. */
    List<Integer> stopped() throws IOException {
        List<Integer> stopped = new ArrayList<>();
        for (JsonNode shard : shards(List.of("list")).json().get("shards")) {
            if (shard.get("stopped").asBoolean()) {
                stopped.add(shard.get("shard").asInt());
            }
        }
        return stopped;
    }

    /** Whether no shard is joining or moving. */
    boolean areSettled() {
        return shards(List.of("list")).exitCode() == 0;
    }

    /** What joining or moving shards wait for. */
    List<String> waitsFor() throws IOException {
        List<String> waits = new ArrayList<>();
        shards(List.of("list")).json().get("waitsFor").forEach(line -> waits.add(line.asText()));
        return waits;
    }

    /** The servers of the shards that serve, in the order of the shards. */
    List<String> serving() throws IOException {
        List<String> servers = new ArrayList<>();
        for (JsonNode shard : shards(List.of("list")).json().get("shards")) {
            if (shard.get("serving").asBoolean()) {
                servers.add(shard.get("server").asText());
            }
        }
        return servers;
    }

    /** Checks the whole file system. */
    void requireClean(String uri) {
        Result result = run(List.of("fsck", "--uri", uri, "--scrub"));
        assertThat(result.exitCode()).as("%s%s", result.out(), result.err()).isZero();
    }
}
