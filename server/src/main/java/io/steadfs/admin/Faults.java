package io.steadfs.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Merges all reports about the same thing into one fault. */
final class Faults {
    private static final int MOST_TEXTS = 3;

    private final List<Fault> faults = new ArrayList<>();

    private Faults() {}

    /**
     * Returns first the faults that make something unreachable, and then all other faults. Both groups are in the order
     * of the servers.
     *
     * @param hostOf maps each shard to the name of the server that hosts the shard. A shard that no server ever hosted
     *     is not in the map
     */
    static List<Fault> of(List<ServerStatus> servers, int shards, SortedMap<Integer, String> hostOf) {
        Faults found = new Faults();
        for (ServerStatus server : servers) {
            if (server.answers()) {
                server.ownProblems().forEach(problem -> found.add(server.name(), false, problem));
            } else {
                found.silent(server, shardsOf(server.name(), hostOf));
            }
        }
        for (int shard = 0; shard < shards; shard++) {
            if (!hostOf.containsKey(shard)) {
                found.add("shard " + shard, true, "shard " + shard + " has no host: no metadata server ever served it");
            }
        }
        found.zooKeeper(servers);
        List<Fault> ordered =
                new ArrayList<>(found.faults.stream().filter(Fault::isBroken).toList());
        found.faults.stream().filter(fault -> !fault.isBroken()).forEach(ordered::add);
        return List.copyOf(ordered);
    }

    private void add(String subject, boolean isBroken, String text) {
        faults.add(new Fault(subject, isBroken, text, List.of()));
    }

    private static List<Integer> shardsOf(String server, SortedMap<Integer, String> hostOf) {
        return hostOf.entrySet().stream()
                .filter(shard -> shard.getValue().equals(server))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Adds one fault for a server that does not answer. The fault names the shards that this server hosts. */
    private void silent(ServerStatus server, List<Integer> shards) {
        boolean isIo = server.name().startsWith("io-");
        String lost = "";
        if (shards.size() == 1) {
            lost = "; shard " + shards.get(0) + " is not served, and names in it wait";
        } else if (!shards.isEmpty()) {
            lost = "; shards " + words(shards) + " are not served, and names in them wait";
        }
        add(server.name(), isIo || !shards.isEmpty(), String.join("; ", server.ownProblems()) + lost);
    }

    private static String words(List<Integer> numbers) {
        List<String> words = numbers.stream().map(String::valueOf).toList();
        int last = words.size() - 1;
        return String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }

    /**
     * Adds one fault for ZooKeeper, even if several servers report a problem with ZooKeeper. Texts may differ, because
     * each server names the epoch of its own cluster map.
     */
    private void zooKeeper(List<ServerStatus> servers) {
        List<ServerStatus> tellers = servers.stream()
                .filter(server -> !server.zooKeeperProblem().isEmpty())
                .toList();
        if (!tellers.isEmpty()) {
            List<String> names = tellers.stream().map(ServerStatus::name).toList();
            String texts = tellers.stream()
                    .map(ServerStatus::zooKeeperProblem)
                    .distinct()
                    .limit(MOST_TEXTS)
                    .collect(Collectors.joining("; "));
            faults.add(new Fault(Fault.ZOOKEEPER, false, texts + " (told by " + String.join(", ", names) + ")", names));
        }
    }
}
