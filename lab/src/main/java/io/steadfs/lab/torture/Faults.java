package io.steadfs.lab.torture;

import io.steadfs.cli.report.Progress;
import io.steadfs.lab.torture.Links.Rule;
import io.steadfs.lab.torture.Links.Trouble;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Makes faults happen. A seed decides every choice.
 *
 * <ul>
 *   <li>The kinds of faults come in shuffled rounds, so that all kinds are equally frequent.
 *   <li>One process never has two faults at a time.
 *   <li>At most {@value #MOST_AT_ONCE} faults are active at a time.
 *   <li>If there are several servers or clients of a role, the last process of the role is never killed. The memory of
 *       that process can therefore be watched over the whole run.
 * </ul>
 */
final class Faults {
    private static final int MOST_AT_ONCE = 3;

    /** A step that ends or heals a fault. */
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private record Active(FaultKind kind, String target, long endNanos, Step end) {}

    private final Servers servers;
    private final Clients clients;
    private final Links links;
    private final Random random;
    private final Progress progress;
    private final TorturePlan plan;
    private final Deque<FaultKind> deck = new ArrayDeque<>();
    private final PriorityQueue<Active> active = new PriorityQueue<>(Comparator.comparingLong(Active::endNanos));
    private final Set<String> busy = new HashSet<>();
    private final Map<FaultKind, Integer> counts = new EnumMap<>(FaultKind.class);
    private final List<Long> lossNanos = new CopyOnWriteArrayList<>();
    private final long firstNanos = System.nanoTime();

    Faults(TorturePlan plan, Servers servers, Clients clients, Links links, Progress progress) {
        this.plan = plan;
        this.servers = servers;
        this.clients = clients;
        this.links = links;
        this.random = new Random(plan.seed());
        this.progress = progress;
    }

    /** Returns how often each kind of fault happened. */
    Map<FaultKind, Integer> counts() {
        return counts;
    }

    /** Returns the kinds of faults that this machine does not allow. */
    Set<FaultKind> impossible() {
        return servers.noDisks().isPresent()
                ? EnumSet.of(FaultKind.MDS_DISK_FULL, FaultKind.IO_DISK_FULL)
                : EnumSet.noneOf(FaultKind.class);
    }

    /** Returns the times at which an IO server may have lost bytes that were not synced. */
    List<Long> lossNanos() {
        return lossNanos;
    }

    /** Makes faults for the time that the plan gives, and then ends all faults. */
    void run() throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(plan.seconds());
        double pauseSeconds = 60.0 / plan.faultsPerMinute();
        long next = System.nanoTime();
        while (System.nanoTime() < end) {
            long now = System.nanoTime();
            while (!active.isEmpty() && active.peek().endNanos() <= now) {
                end(active.remove());
            }
            if (now >= next && active.size() < MOST_AT_ONCE) {
                begin();
                next += (long) (pauseSeconds * (0.5 + random.nextDouble()) * 1e9);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        while (!active.isEmpty()) {
            end(active.remove());
        }
    }

    private void end(Active fault) throws IOException, InterruptedException {
        fault.end().run();
        busy.remove(fault.target());
        if (fault.kind() == FaultKind.IO_DISK_FULL) {
            lossNanos.add(System.nanoTime());
        }
        progress.say(at() + " end of " + fault.kind().label() + " " + fault.target());
    }

    private String at() {
        return String.format(java.util.Locale.ROOT, "%7.2f s", (System.nanoTime() - firstNanos) / 1e9);
    }

    private FaultKind draw() {
        if (deck.isEmpty()) {
            List<FaultKind> kinds = new ArrayList<>(EnumSet.allOf(FaultKind.class));
            kinds.removeAll(impossible());
            kinds.removeAll(plan.without());
            Collections.shuffle(kinds, random);
            deck.addAll(kinds);
        }
        return deck.remove();
    }

    private void begin() throws IOException, InterruptedException {
        FaultKind kind = draw();
        List<String> targets = new ArrayList<>(targets(kind));
        targets.removeAll(busy);
        targets.removeIf(target -> !child(target).alive() || !child(target).isReady());
        if (targets.isEmpty()) {
            return;
        }
        String target = targets.get(random.nextInt(targets.size()));
        long millis = millis(kind);
        progress.say(at() + " " + kind.label() + " " + target + " for " + millis + " ms");
        Step end = begin(kind, target);
        busy.add(target);
        counts.merge(kind, 1, Integer::sum);
        active.add(new Active(kind, target, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), end));
    }

    private Child child(String target) {
        return target.startsWith("client")
                ? clients.child(target)
                : servers.child(target).orElseThrow();
    }

    private List<String> targets(FaultKind kind) {
        return switch (kind) {
            case MDS_KILL -> allButLast(servers.names("mds"));
            case IO_KILL -> allButLast(servers.names("io"));
            case CLIENT_KILL -> allButLast(clients.slots());
            case ZOOKEEPER_KILL, ZOOKEEPER_STOP -> List.of(Servers.ZOOKEEPER);
            case MDS_STOP, MDS_STOP_LONG, MDS_DISK_FULL -> servers.names("mds");
            case IO_STOP, IO_DISK_FULL -> servers.names("io");
            case CLIENT_STOP, CLIENT_STOP_LONG -> clients.slots();
            case NET_DELAY, NET_DROP, NET_HALF_OPEN, NET_RESET -> servers.names();
            case NET_PARTITION, ZOOKEEPER_PARTITION ->
                servers.names().stream()
                        .filter(name -> !name.equals(Servers.ZOOKEEPER))
                        .toList();
        };
    }

    private static List<String> allButLast(List<String> names) {
        return names.size() > 1 ? names.subList(0, names.size() - 1) : names;
    }

    private long millis(FaultKind kind) {
        return switch (kind) {
            case MDS_STOP -> between(100, TorturePlan.ZOOKEEPER_SESSION_MILLIS / 2);
            case MDS_STOP_LONG, ZOOKEEPER_PARTITION ->
                between(TorturePlan.ZOOKEEPER_SESSION_MILLIS + 1_500, TorturePlan.ZOOKEEPER_SESSION_MILLIS + 4_000);
            case IO_STOP -> between(200, 2L * TorturePlan.ZOOKEEPER_SESSION_MILLIS);
            case CLIENT_STOP -> between(200, TorturePlan.CLIENT_SESSION_MILLIS / 2);
            case CLIENT_STOP_LONG ->
                between(TorturePlan.CLIENT_SESSION_MILLIS + 1_500, TorturePlan.CLIENT_SESSION_MILLIS + 4_000);
            case MDS_DISK_FULL, IO_DISK_FULL -> between(1_000, 12_000);
            case NET_RESET -> between(1, 1_000);
            case CLIENT_KILL -> between(1, 2_000);
            default -> between(200, 6_000);
        };
    }

    private long between(long least, long most) {
        return least + random.nextInt((int) (most - least));
    }

    private Step begin(FaultKind kind, String target) throws IOException, InterruptedException {
        return switch (kind) {
            case MDS_KILL, ZOOKEEPER_KILL, IO_KILL -> {
                servers.kill(target);
                if (kind == FaultKind.IO_KILL) {
                    lossNanos.add(System.nanoTime());
                }
                yield () -> servers.startAgain(target);
            }
            case CLIENT_KILL -> {
                clients.child(target).kill();
                yield () -> clients.start(target);
            }
            case MDS_STOP, MDS_STOP_LONG, IO_STOP, CLIENT_STOP, CLIENT_STOP_LONG, ZOOKEEPER_STOP -> {
                Child stopped = child(target);
                stopped.stop();
                yield stopped::goOn;
            }
            case MDS_DISK_FULL, IO_DISK_FULL -> {
                ServerDisk disk = servers.disk(target).orElseThrow();
                disk.fill();
                if (kind == FaultKind.IO_DISK_FULL) {
                    lossNanos.add(System.nanoTime());
                }
                yield disk::free;
            }
            case NET_DELAY -> rule(Trouble.DELAY, between(20, 800), target);
            case NET_DROP -> rule(Trouble.DROP, 0, target);
            case NET_HALF_OPEN -> rule(random.nextBoolean() ? Trouble.DROP_REPLIES : Trouble.DROP_REQUESTS, 0, target);
            case NET_RESET -> rule(Trouble.RESET, 0, target);
            case NET_PARTITION -> partition(target);
            case ZOOKEEPER_PARTITION ->
                rule(new Rule(Trouble.DROP, 0, (source, to) -> source.equals(target) && to.equals(Servers.ZOOKEEPER)));
        };
    }

    /**
     * Disturbs everything that is sent to the server. In half of the cases, the rule also disturbs everything from the
     * server.
     */
    private Step rule(Trouble trouble, long delayMillis, String target) {
        boolean both = random.nextBoolean();
        return rule(
                new Rule(trouble, delayMillis, (source, to) -> to.equals(target) || (both && source.equals(target))));
    }

    /**
     * Divides the processes into two groups; the target is in the first. In half of the cases, both groups still reach
     * ZooKeeper.
     */
    private Step partition(String target) {
        List<String> all = new ArrayList<>(servers.names());
        all.addAll(clients.slots());
        boolean zooKeeperToo = random.nextBoolean();
        Set<String> group = new HashSet<>();
        group.add(target);
        all.stream().filter(name -> random.nextInt(3) == 0).forEach(group::add);
        Trouble trouble = random.nextInt(3) == 0 ? Trouble.RESET : Trouble.DROP;
        return rule(new Rule(
                trouble,
                0,
                (source, to) -> group.contains(source) != group.contains(to)
                        && (zooKeeperToo || !to.equals(Servers.ZOOKEEPER))));
    }

    /**
     * Adds a rule. The end of the rule passes the waiting bytes on or resets the connections, because a network that
     * heals may do either.
     */
    private Step rule(Rule rule) {
        boolean reset = random.nextInt(3) == 0;
        links.add(rule);
        return () -> {
            if (reset) {
                Rule end = new Rule(Trouble.RESET, 0, rule.on());
                links.add(end);
                links.remove(rule);
                links.remove(end);
            } else {
                links.remove(rule);
            }
        };
    }
}
