package io.steadfs.webui.cluster;

import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.ServerStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * How a cluster is, and why: broken where names or bytes cannot be reached, degraded where something else is wrong.
 *
 * @param verdict "well", "degraded" or "broken"
 */
record Verdict(String verdict, List<Reason> reasons) {
    private static final String BROKEN = "broken";
    private static final String DEGRADED = "degraded";

    /** @param severity "degraded" or "broken" */
    record Reason(String severity, String text) {}

    static Verdict of(ClusterStatus status, List<String> notAnswered) {
        List<Reason> broken = new ArrayList<>();
        List<Reason> degraded = new ArrayList<>();
        status.shardProblems().forEach(problem -> broken.add(new Reason(BROKEN, problem)));
        for (ServerStatus server : status.servers()) {
            // Of a metadata server that does not serve the shards tell.
            boolean isBroken = !server.answers() && server.name().startsWith("io-");
            server.problems()
                    .forEach(problem ->
                            (isBroken ? broken : degraded).add(new Reason(isBroken ? BROKEN : DEGRADED, problem)));
        }
        notAnswered.forEach(problem -> degraded.add(new Reason(DEGRADED, problem)));
        List<Reason> all = new ArrayList<>(broken);
        all.addAll(degraded);
        return new Verdict(broken.isEmpty() ? degraded.isEmpty() ? "well" : DEGRADED : BROKEN, List.copyOf(all));
    }
}
