package io.steadfs.cli.membership;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import io.steadfs.cli.local.LocalCluster;
import io.steadfs.secret.SecretFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sees of the nodes in ZooKeeper of a cluster that runs, and does about them. */
class MembershipCommandTest {
    private static final String NOISE = "/steadfs/servers/nine";

    private final Properties taken = new Properties();
    private final LocalCluster cluster;
    private final Path directory;

    MembershipCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory.resolve("cluster");
        this.cluster = LocalCluster.in(this.directory).ioServers(2).start();
    }

    /** Commands read the properties of their process; those of the tests are no configuration. */
    @BeforeEach
    void takeAwayPropertiesOfTests() {
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith("stead.")) {
                taken.setProperty(name, System.getProperty(name));
                System.clearProperty(name);
            }
        }
    }

    @AfterEach
    void close() throws IOException {
        taken.stringPropertyNames().forEach(name -> System.setProperty(name, taken.getProperty(name)));
        cluster.close();
    }

    private record Result(int exitCode, String out, String err) {}

    private Result run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("membership"));
        all.addAll(List.of(arguments));
        all.addAll(List.of(
                "--set",
                "stead.zookeeper.servers=" + cluster.zooKeeper(),
                "--set",
                "stead.cluster.secret.file=" + directory.resolve("cluster.secret")));
        int exitCode = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
        return new Result(exitCode, out.toString(), err.toString());
    }

    /** As an operator with another tool, who knows the secret and does not protect what he writes. */
    private void addNoise() throws Exception {
        String password = SecretFile.open(directory.resolve("cluster.secret"))
                .get()
                .passwords("zookeeper")
                .get(0);
        try (CuratorFramework tool = CuratorFrameworkFactory.builder()
                .connectString(cluster.zooKeeper())
                .retryPolicy(new RetryOneTime(100))
                .authorization("digest", ("steadfs:" + password).getBytes(StandardCharsets.UTF_8))
                .build()) {
            tool.start();
            tool.create().forPath(NOISE, new byte[] {1, 2, 3});
        }
    }

    @Test
    void whatIsAsItShouldBeIsListedAndStays() {
        Result well = run("list");
        assertThat(well.exitCode()).as(well.toString()).isZero();
        assertThat(well.out()).contains("/steadfs/servers/io-1", "/steadfs/alive/mds-1", "lives with its server");

        Result good = run("remove", "/steadfs/servers/io-1", "--yes");
        assertThat(good.exitCode()).isEqualTo(1);
        assertThat(good.err()).contains("/steadfs/servers/io-1 is as it should be; nothing was removed");

        Result missing = run("remove", "/steadfs/servers/io-9", "--yes");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains("there is no node /steadfs/servers/io-9");

        Result outside = run("remove", "/zookeeper", "--yes");
        assertThat(outside.exitCode()).isEqualTo(2);
        assertThat(outside.err()).contains("/zookeeper is not below /steadfs");
        assertThat(run("list").exitCode()).isZero();
    }

    @Test
    void whatIsWrongIsToldProtectedAndRemoved() throws Exception {
        addNoise();
        Result wrong = run("list");
        assertThat(wrong.exitCode()).as(wrong.toString()).isEqualTo(3);
        assertThat(wrong.out()).contains("WRONG " + NOISE + " in ZooKeeper").contains("OPEN 1 node(s) may be changed");

        List<JsonNode> told = new ArrayList<>();
        new ObjectMapper().readTree(run("list", "--json").out()).get("nodes").forEach(node -> {
            if (!node.get("wrong").asText().isEmpty() || !node.get("protected").asBoolean()) {
                told.add(node);
            }
        });
        assertThat(told)
                .singleElement()
                .satisfies(node -> assertThat(node.get("path").asText()).isEqualTo(NOISE));

        Result done = run("protect");
        assertThat(done.exitCode()).as(done.toString()).isZero();
        assertThat(done.out()).startsWith("1 node(s) changed; all are protected");
        assertThat(run("list").out()).contains("WRONG " + NOISE).doesNotContain("OPEN");

        Result removed = run("remove", NOISE, "--yes");
        assertThat(removed.exitCode()).as(removed.toString()).isZero();
        assertThat(removed.out()).contains("removed " + NOISE);
        assertThat(run("list").exitCode()).isZero();
    }

    @Test
    void noZooKeeperIsNamed() throws IOException {
        String gone = cluster.zooKeeper();
        cluster.close();
        Result result = run("list", "--set", "stead.zookeeper.connect.timeout=300");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .startsWith("stead: no ZooKeeper answers at " + gone + " (stead.zookeeper.servers) within 300 ms");
    }
}
