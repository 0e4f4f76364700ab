package io.steadfs.it.simulation;

import io.steadfs.simulation.Faults;
import io.steadfs.wire.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes the faults of a plan happen, and ends all of them. */
final class Trouble {
    /** How late messages may be at worst: later than the others of a batch, of an operation, or than patience lasts. */
    private static final List<Integer> LATE_MICROS = List.of(5_000, 50_000, 1_500_000);

    /** How late an answer with copies is at worst: changes are made and other answers come meanwhile. */
    private static final long LATE_COPIES_MICROS = 300_000;

    private static final long HOUR_MILLIS = 3_600_000;

    private final SimulatedCluster cluster;
    private final SortedMap<String, Integer> jumps = new TreeMap<>();
    /** How many troubles of a name are under way. */
    private final Map<String, Integer> underWay = new HashMap<>();

    private boolean healed;

    Trouble(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    void plan(List<Fault> faults) {
        for (Fault fault : faults) {
            cluster.around().time().after(fault.atMillis(), () -> {
                if (!healed) {
                    begin(fault);
                }
            });
        }
    }

    private void begin(Fault fault) {
        SimulatedServer server =
                cluster.servers().get(fault.target() % cluster.servers().size());
        SimulatedClient client =
                cluster.clients().get(fault.target() % cluster.clients().size());
        switch (fault.kind()) {
            case SERVER_CRASH -> crash(server);
            case POWER_LOSS -> cluster.servers().forEach(this::crash);
            case CLIENT_CRASH -> client.process().ifPresent(alive -> cluster.crash(client));
            case SERVER_STOP -> server.process().ifPresent(process -> process.stop(fault.forMillis()));
            case CLIENT_STOP -> client.process().ifPresent(process -> process.stop(fault.forMillis()));
            case SESSION_EXPIRES -> cluster.around().membership().expire(server.id());
            case BAD_NETWORK -> {
                cluster.around()
                        .network()
                        .setFaults(new Faults(60, 60, 50, LATE_MICROS.get(fault.other() % LATE_MICROS.size())));
                afterTheLast(
                        "bad network",
                        fault.forMillis(),
                        () -> cluster.around().network().setFaults(SimulatedCluster.HEALTHY));
            }
            case CUT -> cluster.cut(server.name(), cluster.nameOf(fault.other()), fault.forMillis());
            case CLOCK_JUMP ->
                server.process()
                        .ifPresent(process ->
                                process.jump(fault.other() % 2 == 0 ? fault.forMillis() : -fault.forMillis()));
            case HOUR_JUMP -> jumpAnHour(fault.target(), fault.other() % 2 == 0);
            case DISK_FULL -> {
                server.setFull(true);
                after(fault.forMillis(), () -> server.setFull(false));
            }
            case SLOW_DISK -> {
                server.setSlow(true);
                afterTheLast("slow disk of " + server.name(), fault.forMillis(), () -> server.setSlow(false));
            }
            case LATE_COPIES -> {
                cluster.around().network().setLateReplies(Kind.GIVE_COPIES, LATE_COPIES_MICROS);
                afterTheLast(
                        "late copies",
                        fault.forMillis(),
                        () -> cluster.around().network().setLateReplies(Kind.GIVE_COPIES, 0));
            }
            case DISK_FAILS -> server.failNextCommit(fault.other() % 2 == 0);
        }
    }

    private void jumpAnHour(int target, boolean forth) {
        int servers = cluster.servers().size();
        Optional<SimulatedProcess> process = target < servers
                ? cluster.servers().get(target).process()
                : cluster.clients().get(target - servers).process();
        process.ifPresent(alive -> {
            alive.jump(forth ? HOUR_MILLIS : -HOUR_MILLIS);
            String leases =
                    cluster.ioServers().stream().anyMatch(SimulatedIoServer::hasLeases) ? "leases" : "no leases";
            jumps.merge(alive.role() + (forth ? " forth, " : " back, ") + leases, 1, Integer::sum);
        });
    }

    /** Wall clocks that jumped by an hour so far: by role, direction, and whether there were leases just then. */
    SortedMap<String, Integer> jumps() {
        return new TreeMap<>(jumps);
    }

    private void crash(SimulatedServer server) {
        server.process().ifPresent(process -> cluster.crash(server));
    }

    /** Troubles of this name may overlap. The one that ends last ends the trouble. */
    private void afterTheLast(String name, long millis, Runnable end) {
        underWay.merge(name, 1, Integer::sum);
        after(millis, () -> {
            if (underWay.merge(name, -1, Integer::sum) == 0) {
                end.run();
            }
        });
    }

    private void after(long millis, Runnable end) {
        cluster.around().time().after(millis, end);
    }

    /** No fault begins any more; those under way end by themselves, and who is down comes back at once. */
    void heal() {
        healed = true;
        cluster.around().points().setActive(false);
        cluster.servers().forEach(server -> {
            server.process().ifPresent(SimulatedProcess::resume);
            server.setFull(false);
            server.setSlow(false);
            cluster.start(server);
        });
        cluster.clients().forEach(client -> client.process().ifPresent(SimulatedProcess::resume));
    }
}
