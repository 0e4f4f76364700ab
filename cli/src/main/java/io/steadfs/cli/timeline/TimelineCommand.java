package io.steadfs.cli.timeline;

import io.steadfs.cli.connect.ClusterOption;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.protocol.Protocol;
import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import io.steadfs.path.FsPath;
import io.steadfs.time.SystemClock;
import io.steadfs.timeline.CreateProbe;
import io.steadfs.timeline.Gathering;
import io.steadfs.timeline.RecentOperation;
import io.steadfs.timeline.RecentOperations;
import io.steadfs.timeline.Timeline;
import io.steadfs.timeline.Traces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows every message of one operation as a bar. Each bar is on the lane of the message's sender or of its server. */
@Command(
        name = "timeline",
        mixinStandardHelpOptions = true,
        description = {
            "Show every message of one operation as a bar on the lane of who sent or served it, with the durable commits.",
            "Servers keep their last messages in memory (stead.rpc.recent.messages).",
            Timeline.CLOCKS
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:shown",
            "1:a server did not answer, and a line says which; or nothing is known of the operation",
            "2:wrong usage"
        })
public final class TimelineCommand implements Callable<Integer> {
    private static final int NOT_ALL = 1;
    private static final int MOST_COLUMNS = 1_000;
    private static final int MOST_WARM_UP = 10_000;
    private static final int MOST_MESSAGES = 1_000_000;

    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @ArgGroup(multiplicity = "1")
    private What what = new What();

    @Option(
            names = "--columns",
            paramLabel = "N",
            description = "with --probe: columns of the file; default: ${DEFAULT-VALUE}",
            defaultValue = "2")
    private int columns;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "with --probe: creates before the one that is shown; 0 shows a client's first, which has"
                    + " nothing leased yet; default: ${DEFAULT-VALUE}",
            defaultValue = "8")
    private int warmUp;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "with --recent: most operations; default: ${DEFAULT-VALUE}",
            defaultValue = "20")
    private int limit;

    @Option(names = "--json", description = "print everything as one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** The options that choose the operation to show. A user must give exactly one option of this group. */
    static final class What {
        @Option(
                names = "--probe",
                paramLabel = "PROTOCOL",
                description = "create a file by this protocol, in a directory of its own that is removed afterwards;"
                        + " several with commas, or all")
        private String probe = "";

        @Option(
                names = "--trace",
                paramLabel = "ID",
                description = "an operation of any client, by its trace id; the client's own bars are not known then")
        private String trace = "";

        @Option(names = "--recent", description = "list the last operations with their trace ids")
        private boolean recent;
    }

    @Override
    public Integer call() throws IOException {
        check(columns >= 1 && columns <= MOST_COLUMNS, "--columns " + columns + " is not in 1.." + MOST_COLUMNS);
        check(warmUp >= 0 && warmUp <= MOST_WARM_UP, "--warm-up " + warmUp + " is not in 0.." + MOST_WARM_UP);
        check(limit >= 1, "--limit " + limit + " is not positive");
        List<Protocol> protocols = protocols();
        try (Connections connections = Connections.ofOperator()) {
            if (!protocols.isEmpty()) {
                return probe(connections, protocols);
            }
            return what.recent ? recent(connections) : trace(connections, traceId());
        }
    }

    private void check(boolean good, String problem) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }

    /**
     * The protocols for which the command creates a file and shows the timeline. Empty if the user asked for no probe.
     */
    private List<Protocol> protocols() {
        try {
            return what.probe.isEmpty()
                    ? List.of()
                    : what.probe.equals("all") ? List.of(Protocol.values()) : Protocol.parseAll(what.probe);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--probe: " + e.getMessage(), e);
        }
    }

    private long traceId() {
        try {
            return Traces.parse(what.trace);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--trace: " + e.getMessage(), e);
        }
    }

    private int probe(Connections connections, List<Protocol> protocols) throws IOException {
        List<Map<String, ?>> all = new ArrayList<>();
        boolean complete = true;
        for (Protocol protocol : protocols) {
            Timeline timeline = probe(connections, protocol);
            complete &= timeline.problems().isEmpty();
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("protocol", protocol.toString());
            fields.put("columns", columns);
            fields.putAll(timeline.fields());
            all.add(fields);
            if (!json) {
                print(TimelineText.of("create by " + protocol + ", columns " + columns, timeline) + "\n");
            }
        }
        print(json ? Json.line(Map.of("timelines", all)) + "\n" : legend());
        return complete ? 0 : NOT_ALL;
    }

    private Timeline probe(Connections connections, Protocol protocol) throws IOException {
        try (Connection connection = cluster.open(connections, protocol.settings(), spec.commandLine())) {
            FsPath folder = FsPath.ROOT.child(".stead-timeline-" + UUID.randomUUID());
            try (CreateProbe probe =
                    new CreateProbe(connection.fs(), connection.recent(), gathering(connection), folder, columns)) {
                probe.prepare(warmUp);
                probe.create();
                return probe.timeline();
            }
        }
    }

    private int trace(Connections connections, long traceId) throws IOException {
        try (Connection connection = cluster.open(connections, spec.commandLine())) {
            Timeline timeline = gathering(connection).timeline(connection.fs().clusterMap(), traceId, List.of());
            print(
                    json
                            ? Json.line(Map.of("timelines", List.of(timeline.fields()))) + "\n"
                            : TimelineText.of("operation", timeline) + "\n" + legend());
            return timeline.problems().isEmpty() && !timeline.messages().isEmpty() ? 0 : NOT_ALL;
        }
    }

    private int recent(Connections connections) throws IOException {
        try (Connection connection = cluster.open(connections, spec.commandLine())) {
            RecentOperations all =
                    gathering(connection).operations(connection.fs().clusterMap(), MOST_MESSAGES);
            RecentOperations shown =
                    new RecentOperations(all.operations().stream().limit(limit).toList(), all.problems());
            print(json ? Json.line(shown.fields()) + "\n" : text(shown));
            return shown.problems().isEmpty() ? 0 : NOT_ALL;
        }
    }

    private static String text(RecentOperations recent) {
        TextTable table = new TextTable(3, "trace", "messages", "servers", "no", "us", "ago ms");
        for (RecentOperation each : recent.operations()) {
            table.row(
                    Traces.name(each.traceId()),
                    String.join(" ", each.kinds()),
                    String.join(" ", each.servers()),
                    each.messages(),
                    TimelineText.micros(each.nanos()),
                    each.agoNanos() / 1_000_000);
        }
        StringBuilder text = new StringBuilder(table.toString());
        recent.problems().forEach(line -> text.append("PROBLEM ").append(line).append('\n'));
        return text.toString();
    }

    private static Gathering gathering(Connection connection) {
        return new Gathering(connection.transport(), new SystemClock());
    }

    private static String legend() {
        return TimelineText.LEGEND + Timeline.CLOCKS + "\n";
    }

    private void print(String text) {
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
    }
}
