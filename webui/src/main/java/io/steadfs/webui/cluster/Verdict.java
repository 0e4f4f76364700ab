package io.steadfs.webui.cluster;

import io.steadfs.admin.ClusterStatus;
import io.steadfs.admin.Fault;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster, and the reasons for the verdict. A cluster is broken if clients cannot reach names or bytes.
 * A cluster is degraded if it has only other faults. Each fault is one reason.
 *
 * @param verdict "well", "degraded" or "broken"
 */
record Verdict(String verdict, List<Reason> reasons) {
    private static final String BROKEN = "broken";
    private static final String DEGRADED = "degraded";

    /**
     * A fault.
     *
     * @param severity "degraded" or "broken"
     * @param subject the server or service at fault: name of a server, {@code shard 1}, {@code zookeeper} or
     * {@code cluster}
     * @param toldBy names of the servers that reported the fault
     * @param since time at which the fault was first seen, in milliseconds since 1970; null before the second sample
     */
    record Reason(
            String severity,
            String subject,
            String text,
            List<String> toldBy,
            @Nullable Long since) {}

    /**
     * @param notAnswered for each server that gave no account of handles: its name, and the cause. The method ignores
     * servers that already have another fault.
     * @param since gives the time at which the fault of a subject was first seen
     */
    static Verdict of(
            ClusterStatus status, SortedMap<String, String> notAnswered, Function<String, OptionalLong> since) {
        List<Fault> faults = new ArrayList<>(status.faults());
        Set<String> known = new HashSet<>();
        faults.forEach(fault -> known.add(fault.subject()));
        for (Map.Entry<String, String> silent : notAnswered.entrySet()) {
            if (!known.contains(silent.getKey())) {
                faults.add(new Fault(silent.getKey(), false, silent.getValue(), List.of()));
            }
        }
        List<Reason> reasons = faults.stream()
                .map(fault -> reason(fault, since.apply(fault.subject())))
                .toList();
        boolean broken = faults.stream().anyMatch(Fault::isBroken);
        return new Verdict(broken ? BROKEN : reasons.isEmpty() ? "well" : DEGRADED, reasons);
    }

    private static Reason reason(Fault fault, OptionalLong since) {
        return new Reason(
                fault.isBroken() ? BROKEN : DEGRADED,
                fault.subject(),
                fault.text(),
                fault.toldBy(),
                since.isPresent() ? since.getAsLong() : null);
    }
}
