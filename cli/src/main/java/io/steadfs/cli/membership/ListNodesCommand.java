package io.steadfs.cli.membership;

import io.steadfs.cli.process.ConfigurationOptions;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import io.steadfs.membership.NodeReport;
import io.steadfs.membership.ZooKeeperTree;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists all nodes of a file system in ZooKeeper, and the faults of these nodes. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "List the nodes of the file system in ZooKeeper, and what is wrong with them: those that no server could have",
            "written, which servers skip, and those that others than its servers may change."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:nothing is wrong", "1:ZooKeeper does not answer", "2:wrong usage", "3:something is wrong"})
final class ListNodesCommand implements Callable<Integer> {
    private static final int WRONG = 3;

    @Mixin
    private ConfigurationOptions configuration = new ConfigurationOptions();

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        List<NodeReport> nodes;
        try (ZooKeeperTree tree = ZooKeeperTree.connect(configuration.read(ServerKeys.LOCAL))) {
            nodes = NodeReport.all(tree);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                json
                        ? Json.line(Map.of(
                                        "nodes",
                                        nodes.stream()
                                                .map(ListNodesCommand::line)
                                                .toList())) + "\n"
                        : text(nodes));
        out.flush();
        return nodes.stream().allMatch(node -> node.wrong().isEmpty() && node.isProtected()) ? 0 : WRONG;
    }

    private static Map<String, Object> line(NodeReport node) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("path", node.path());
        line.put("bytes", node.bytes());
        line.put("ephemeral", node.ephemeral());
        line.put("protected", node.isProtected());
        line.put("wrong", node.wrong().orElse(""));
        return line;
    }

    private static String text(List<NodeReport> nodes) {
        TextTable table = new TextTable(1, "node", "bytes", "");
        nodes.forEach(node -> table.row(node.path(), node.bytes(), node.ephemeral() ? "lives with its server" : ""));
        StringBuilder text = new StringBuilder(table.toString());
        nodes.forEach(node ->
                node.wrong().ifPresent(why -> text.append("WRONG ").append(why).append('\n')));
        long open = nodes.stream().filter(node -> !node.isProtected()).count();
        if (open > 0) {
            text.append("OPEN ")
                    .append(open)
                    .append(" node(s) may be changed by others, or are not protected by this cluster secret; see")
                    .append(" stead membership protect\n");
        }
        return text.toString();
    }
}
