package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Checks a cluster by {@code bin/stead fsck}, in this process. */
public final class Fsck {
    /** What the command ends with when it found something that is there still. */
    public static final int FOUND = 3;

    private Fsck() {}

    /**
     * Fails unless the command ends so.
     *
     * @param more options of the command
     * @return its passes, with all findings
     */
    public static JsonNode run(Cluster cluster, int exitCode, String... more) throws IOException {
        return result(cluster, exitCode, more).get("passes");
    }

    /** As {@link #run}, with all that the command says. */
    public static JsonNode result(Cluster cluster, int exitCode, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("fsck", "--uri", cluster.local().uri().toString(), "--findings", "100000", "--json"));
        arguments.addAll(List.of(more));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int code = command.execute(arguments.toArray(String[]::new));
        assertThat(code).as("%s: %s%s", arguments, out, err).isEqualTo(exitCode);
        return new ObjectMapper().readTree(out.toString());
    }

    /** Fails unless all was checked and nothing is wrong. */
    public static void findsNothing(Cluster cluster) throws IOException {
        JsonNode pass = run(cluster, 0).get(0);
        System.out.printf(
                "fsck finds nothing in %d rows, %.1f s%n",
                pass.get("rows").asLong(), pass.get("seconds").asDouble());
    }
}
