package io.steadfs.cli.fsck;

import io.steadfs.fsck.Finding;
import io.steadfs.fsck.FindingKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a check found. All findings are counted, and so many kept as were asked for. */
final class FsckResult {
    /**
     * The check of one IO server.
     *
     * @param problem why it could not be checked to its end; empty if it was
     */
    record Server(String name, long datafiles, long suspected, double seconds, String problem) {
        Map<String, ?> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("server", name);
            fields.put("datafiles", datafiles);
            fields.put("lookedAtAgain", suspected);
            fields.put("seconds", seconds);
            fields.put("problem", problem);
            return fields;
        }
    }

    private final int keep;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<FindingKind, Long> counts = new EnumMap<>(FindingKind.class);
    private final List<Server> servers = new ArrayList<>();

    FsckResult(int keep) {
        this.keep = keep;
        for (FindingKind kind : FindingKind.values()) {
            counts.put(kind, 0L);
        }
    }

    void found(Finding finding) {
        counts.merge(finding.kind(), 1L, Long::sum);
        if (findings.size() < keep) {
            findings.add(finding);
        }
    }

    void checked(Server server) {
        servers.add(server);
    }

    List<Finding> findings() {
        return findings;
    }

    Map<FindingKind, Long> counts() {
        return counts;
    }

    List<Server> servers() {
        return servers;
    }

    long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    boolean isComplete() {
        return servers.stream().allMatch(server -> server.problem().isEmpty());
    }

    Map<String, ?> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("complete", isComplete());
        fields.put("servers", servers.stream().map(Server::fields).toList());
        Map<String, Object> byKind = new LinkedHashMap<>();
        counts.forEach((kind, count) -> byKind.put(kind.label(), count));
        fields.put("counts", byKind);
        fields.put("findings", findings.stream().map(FsckResult::fields).toList());
        return fields;
    }

    private static Map<String, ?> fields(Finding finding) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", finding.kind().label());
        fields.put("server", "io-" + finding.datafile().owner());
        fields.put("datafile", finding.datafile().toString());
        fields.put(
                "metafile",
                finding.metafile().isNone() ? "" : finding.metafile().toString());
        fields.put("what", finding.what());
        return fields;
    }
}
