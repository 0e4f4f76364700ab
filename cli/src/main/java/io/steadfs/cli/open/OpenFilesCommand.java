package io.steadfs.cli.open;

import io.steadfs.admin.IoServers;
import io.steadfs.admin.OpenFileLists;
import io.steadfs.cli.connect.ClusterOption;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import io.steadfs.client.SteadFs;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.OpenFile;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the files that are open for writing. */
@Command(
        name = "open-files",
        mixinStandardHelpOptions = true,
        description = {
            "List the files that are open for writing: path, user, client, since when, session, length.",
            "The path is the one under which the file was opened. Where the file is not there any more, as after a rename of a",
            "directory above it, the line says \"was\" before it."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:listed", "1:a shard did not answer; the others are listed", "2:wrong usage"})
public final class OpenFilesCommand implements Callable<Integer> {
    @Mixin
    private ClusterOption cluster = new ClusterOption();

    @Option(names = "--user", paramLabel = "USER", description = "only files that this user writes")
    private String user = "";

    @Option(names = "--under", paramLabel = "PATH", description = "only files that were opened below this path")
    private String under = "";

    @Option(names = "--json", description = "print everything as one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** @param isThere whether the path under which a client opened the file still leads to the file */
    private record Found(OpenFile file, boolean isThere) {
        String path() {
            String path = file.getPath().isEmpty() ? "(not told)" : file.getPath();
            return isThere ? path : "was " + path;
        }

        String since() {
            return file.getOpenedMillis() == 0
                    ? "(not known)"
                    : Instant.ofEpochMilli(file.getOpenedMillis()).toString();
        }

        Map<String, ?> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("path", file.getPath());
            fields.put("isThere", isThere);
            fields.put("metafile", new Handle(file.getMetafile()).toString());
            fields.put("user", file.getUser());
            fields.put("client", file.getClient());
            fields.put("session", file.getSession());
            fields.put("openedMillis", file.getOpenedMillis());
            fields.put("length", file.getLength());
            return fields;
        }
    }

    @Override
    public Integer call() throws IOException {
        try (Connections connections = Connections.ofWatcher();
                Connection connection = cluster.open(connections, spec.commandLine())) {
            OpenFileLists lists = new OpenFileLists(
                    connection.transport(), connection.fs().clusterMap(), IoServers.USUAL_TIMEOUT_MILLIS);
            List<Found> found = new ArrayList<>();
            List<String> silent = new ArrayList<>();
            for (int shard = 0; shard < lists.shards(); shard++) {
                try {
                    for (OpenFile file : lists.of(shard)) {
                        if (isWanted(file)) {
                            found.add(new Found(file, isThere(connection.fs(), file)));
                        }
                    }
                } catch (FsException e) {
                    silent.add(String.valueOf(e.getMessage()));
                }
            }
            found.sort(Comparator.comparing(each -> each.file().getPath()));
            spec.commandLine().getOut().print(json ? Json.line(fields(found, silent)) + "\n" : text(found));
            spec.commandLine().getOut().flush();
            silent.forEach(line -> spec.commandLine().getErr().println("stead: " + line));
            return silent.isEmpty() ? 0 : 1;
        }
    }

    private boolean isWanted(OpenFile file) {
        boolean isBelow = under.isEmpty()
                || file.getPath().equals(under)
                || file.getPath().startsWith(under.endsWith("/") ? under : under + "/");
        return isBelow && (user.isEmpty() || user.equals(file.getUser()));
    }

    /** Whether the path still leads to the file. */
    private static boolean isThere(SteadFs fs, OpenFile file) {
        try {
            return fs.stat(FsPath.parse(file.getPath())).handle().value() == file.getMetafile();
        } catch (FsException | IllegalArgumentException e) {
            return false;
        }
    }

    private static Map<String, ?> fields(List<Found> found, List<String> silent) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("files", found.stream().map(Found::fields).toList());
        fields.put("problems", silent);
        return fields;
    }

    private static String text(List<Found> found) {
        TextTable table = new TextTable(1, "path", "length", "user", "since", "session", "client");
        for (Found each : found) {
            table.row(
                    each.path(),
                    each.file().getLength(),
                    each.file().getUser(),
                    each.since(),
                    each.file().getSession(),
                    each.file().getClient());
        }
        return table + "\n" + found.size() + " files are open for writing\n";
    }
}
