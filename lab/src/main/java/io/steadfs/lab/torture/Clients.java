package io.steadfs.lab.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The client processes. After a client was killed, another client takes its place. The new client has a new name,
 * history and directories, and file ids that no other client uses. In wide directories it goes on with the names of the
 * client before. Thread-safe.
 */
final class Clients implements AutoCloseable {
    private final TorturePlan plan;
    private final List<String> servers;
    private final Path histories;
    private final Map<String, Child> running = new LinkedHashMap<>();
    private final Map<String, Path> written = new LinkedHashMap<>();
    private final Map<String, Integer> incarnations = new HashMap<>();
    private final long beganNanos = System.nanoTime();
    private int started;

    /** @param servers addresses of the servers that clients connect to */
    Clients(TorturePlan plan, List<String> servers) throws IOException {
        this.plan = plan;
        this.servers = servers;
        this.histories = Files.createDirectories(plan.directory().resolve("histories"));
        Files.createDirectories(plan.directory().resolve("logs"));
    }

    void start() throws IOException {
        for (int i = 1; i <= plan.clients(); i++) {
            start("client-" + i);
        }
    }

    /** Starts the next client of a slot. */
    synchronized void start(String slot) throws IOException {
        int incarnation = incarnations.merge(slot, 1, Integer::sum);
        int number = ++started;
        String name = slot + "." + incarnation;
        Path history = histories.resolve(name);
        List<String> arguments = new ArrayList<>(List.of(
                "torture",
                "client",
                "--servers",
                String.join(",", servers),
                "--name",
                name,
                "--seed",
                Long.toString(plan.seed() * 1_000_003 + number * 1_009L),
                "--threads",
                Integer.toString(plan.threads()),
                "--wide",
                Integer.toString(plan.wide()),
                "--began",
                Long.toString(beganNanos),
                "--number",
                Integer.toString(number),
                "--history",
                history.toString(),
                "--set",
                "stead.client.attempt.timeout=4000",
                "--set",
                "stead.client.name=" + name));
        if (plan.wide() > 0 && incarnation > 1) {
            arguments.addAll(List.of("--before", before(slot)));
        }
        plan.protocol().settings().forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        written.put(name, history);
        running.put(
                slot,
                Child.start(
                        name,
                        List.of(),
                        List.of(
                                "-Xms192m",
                                "-Xmx192m",
                                "-XX:+AlwaysPreTouch",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:-UsePerfData"),
                        arguments,
                        plan.directory().resolve("logs").resolve(name + ".log")));
    }

    private String before(String slot) {
        return written.entrySet().stream()
                .filter(history -> slotOf(history.getKey()).equals(slot))
                .map(history -> history.getValue().toString())
                .collect(Collectors.joining(","));
    }

    /** Returns the slot of a client. */
    static String slotOf(String client) {
        return client.substring(0, client.lastIndexOf('.'));
    }

    synchronized List<String> slots() {
        return List.copyOf(running.keySet());
    }

    synchronized Child child(String slot) {
        return Optional.ofNullable(running.get(slot))
                .orElseThrow(() -> new IllegalArgumentException("no client " + slot));
    }

    /** Returns the names of the processes by process id. */
    synchronized Map<Long, String> processes() {
        Map<Long, String> processes = new HashMap<>();
        running.forEach((slot, child) -> processes.put(child.pid(), slot));
        return processes;
    }

    /** Returns the clients that ended although the harness did not end them. */
    synchronized List<String> ended() {
        return running.values().stream()
                .filter(child -> !child.alive())
                .map(child -> child.name() + " ended with exit code " + child.exitCode())
                .toList();
    }

    /** Returns the histories of all clients that ever ran, by client. */
    synchronized Map<String, Path> histories() {
        return new LinkedHashMap<>(written);
    }

    @Override
    public synchronized void close() {
        for (Child child : running.values()) {
            child.kill();
        }
    }
}
