package io.steadfs.cli.status;

import io.steadfs.admin.DirectoryPaths;
import io.steadfs.admin.IoServers;
import io.steadfs.admin.PartitionActivities;
import io.steadfs.admin.PartitionActivities.Giving;
import io.steadfs.admin.PartitionActivities.HotDirectory;
import io.steadfs.cli.connect.ClusterOption;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.HandOver;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists the directories in which most names are made, and the partitions that give names to others. */
@Command(
        name = "partitions",
        mixinStandardHelpOptions = true,
        description = {
            "List the directories in which most names are made, and the splits and merges of partitions that are under way.",
            "A rate is that of about the last 10 seconds. A directory whose path is not found cheaply is shown by its handle.",
            "The partitions of one directory: stead fs -partitions PATH."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:listed", "1:a shard did not answer; the others are listed", "2:wrong usage"})
public final class PartitionsCommand implements Callable<Integer> {
    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Option(
            names = "--hottest",
            paramLabel = "N",
            description = "how many directories to list, at most 1000; ${DEFAULT-VALUE} unless given")
    private int hottest = 20;

    @Option(names = "--json", description = "print everything as one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** A directory with its path, if that is known. */
    private record Named(Handle directory, Optional<String> path) {
        String words() {
            return path.orElse("(handle " + directory + ")");
        }
    }

    private static final class Paths {
        private final DirectoryPaths paths;
        private final List<String> problems;

        Paths(DirectoryPaths paths, List<String> problems) {
            this.paths = paths;
            this.problems = problems;
        }

        Named of(Handle directory) {
            try {
                return new Named(directory, paths.find(directory));
            } catch (FsException e) {
                String why = String.valueOf(e.getMessage());
                if (!problems.contains(why)) {
                    problems.add(why);
                }
                return new Named(directory, Optional.empty());
            }
        }
    }

    @Override
    public Integer call() throws IOException {
        if (hottest < 0 || hottest > PartitionActivities.MOST) {
            throw new ParameterException(
                    spec.commandLine(), "--hottest: " + hottest + " is not in 0 to " + PartitionActivities.MOST);
        }
        try (Connections connections = Connections.ofWatcher();
                Connection connection = cluster.open(connections, spec.commandLine())) {
            ClusterMap map = connection.fs().clusterMap();
            PartitionActivities.Answers answers = new PartitionActivities(
                            connection.transport(), map, IoServers.USUAL_TIMEOUT_MILLIS)
                    .hottest(PartitionActivities.MOST);
            List<String> problems = new ArrayList<>(answers.problems());
            Paths paths = new Paths(
                    new DirectoryPaths(
                            connection.transport(),
                            () -> map,
                            Connections.caller(),
                            new SystemClock(),
                            DirectoryPaths.USUAL_NAMES,
                            IoServers.USUAL_TIMEOUT_MILLIS),
                    problems);
            List<HotDirectory> directories =
                    answers.directories().stream().limit(hottest).toList();
            spec.commandLine()
                    .getOut()
                    .print(
                            json
                                    ? Json.line(fields(directories, answers.givings(), paths)) + "\n"
                                    : text(directories, answers.givings(), paths));
            spec.commandLine().getOut().flush();
            problems.forEach(line -> spec.commandLine().getErr().println("stead: " + line));
            return problems.isEmpty() ? 0 : 1;
        }
    }

    private static Map<String, ?> fields(List<HotDirectory> directories, List<Giving> givings, Paths paths) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(
                "directories",
                directories.stream()
                        .map(each -> fields(each, paths.of(each.directory())))
                        .toList());
        fields.put(
                "handOvers",
                givings.stream()
                        .map(each ->
                                fields(each, paths.of(new Handle(each.handOver().getDirectory()))))
                        .toList());
        fields.put("problems", List.copyOf(paths.problems));
        return fields;
    }

    private static Map<String, ?> fields(HotDirectory hot, Named named) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("directory", named.directory().toString());
        fields.put("path", named.path().orElse(""));
        fields.put("namesPerSecond", hot.namesPerSecond());
        fields.put("partitions", hot.partitions().size());
        fields.put("shards", hot.shards());
        fields.put("entries", hot.entries());
        return fields;
    }

    private static Map<String, ?> fields(Giving giving, Named named) {
        HandOver handOver = giving.handOver();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("directory", named.directory().toString());
        fields.put("path", named.path().orElse(""));
        fields.put("kind", kind(handOver));
        fields.put("source", Integer.toUnsignedLong(handOver.getSource()));
        fields.put("sourceShard", giving.shard());
        fields.put("target", Integer.toUnsignedLong(handOver.getTarget()));
        fields.put("targetShard", handOver.hasTargetShard() ? handOver.getTargetShard() : -1);
        fields.put("entries", handOver.getEntries());
        fields.put("sinceMillis", handOver.getSinceMillis());
        return fields;
    }

    private static String kind(HandOver handOver) {
        return handOver.getKind().name().toLowerCase(Locale.ROOT);
    }

    private static String text(List<HotDirectory> directories, List<Giving> givings, Paths paths) {
        TextTable hot = new TextTable(1, "directory", "names/s", "partitions", "names in them", "shards");
        for (HotDirectory each : directories) {
            hot.row(
                    paths.of(each.directory()).words(),
                    String.format(Locale.ROOT, "%.1f", each.namesPerSecond()),
                    each.partitions().size(),
                    each.entries(),
                    each.shards().stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        TextTable moves = new TextTable(2, "directory", "kind", "source", "target", "names", "since");
        for (Giving each : givings) {
            HandOver handOver = each.handOver();
            moves.row(
                    paths.of(new Handle(handOver.getDirectory())).words(),
                    kind(handOver),
                    place(handOver.getSource(), Optional.of(each.shard())),
                    place(
                            handOver.getTarget(),
                            handOver.hasTargetShard() ? Optional.of(handOver.getTargetShard()) : Optional.empty()),
                    handOver.getEntries(),
                    handOver.getSinceMillis() == 0
                            ? "before the shard's start"
                            : Instant.ofEpochMilli(handOver.getSinceMillis()).toString());
        }
        return (directories.isEmpty() ? "names were made nowhere lately\n" : hot + "\n")
                + (givings.isEmpty() ? "no partition splits or merges now\n" : "\n" + moves + "\n");
    }

    private static String place(int partition, Optional<Integer> shard) {
        return Integer.toUnsignedString(partition)
                + shard.map(each -> " on shard " + each).orElse("");
    }
}
