package io.steadfs.it.simulation;

import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.wire.Audience;
import io.steadfs.wire.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** Which places processes came by, and where they ended, over many runs. Thread-safe. */
final class Coverage {
    /** Kinds for admins that servers send each other too, so that a simulation meets them. */
    private static final Set<Kind> ALSO_OF_SERVERS = EnumSet.of(Kind.INTENT_STATUS, Kind.REMOVE);

    private final NavigableMap<String, Seen> places = new TreeMap<>();

    /**
     * @param ended processes that ended there
     * @param runs in which one came by
     * @param seed least of those
     * @param process that came by first in that seed's run
     */
    private record Seen(long ended, long runs, long seed, String process) {
        Seen and(Seen other) {
            Seen first = other.seed < seed ? other : this;
            return new Seen(ended + other.ended, runs + other.runs, first.seed, first.process);
        }

        Seen andEnded(long more) {
            return new Seen(ended + more, runs, seed, process);
        }
    }

    /**
     * A run that goes as the run of this seed did until the process came by the place; there it ends. So a place that
     * chance left out has its turn too, and the run is told by the seed and the place.
     */
    record End(long seed, String process, String place) {
        Simulation.Result run() {
            return SeedRun.of(seed, new CrashPoints.Crash(process, place, 1, CrashPoints.How.ENDS, 0));
        }
    }

    /** The run of a seed. */
    synchronized void add(Simulation.Result result) {
        result.coverage()
                .forEach((place, met) -> places.merge(
                        place, new Seen(met.ended(), 1, result.plan().seed(), met.process()), Seen::and));
    }

    /**
     * The run of a seed with one end more. After that it goes another way, and may come by places where the seed's own run
     * never does; so only where processes ended counts.
     */
    synchronized void addEnds(Simulation.Result result) {
        result.coverage()
                .forEach((place, met) -> places.computeIfPresent(place, (same, seen) -> seen.andEnded(met.ended())));
    }

    synchronized int size() {
        return places.size();
    }

    /** One for each place where no process ended, in the run of the first seed that came by. */
    synchronized List<End> never() {
        List<End> never = new ArrayList<>();
        places.forEach((place, seen) -> {
            if (seen.ended() == 0) {
                never.add(new End(seen.seed(), seen.process(), place));
            }
        });
        return never;
    }

    /** Places that there should be, whoever comes by: each kind of message is received, each table changed. */
    synchronized List<String> unknown() {
        List<String> expected = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (kind.audience() == Audience.ADMIN && !ALSO_OF_SERVERS.contains(kind)) {
                continue; // Asked by commands, not in a simulation.
            }
            switch (kind.target()) {
                // What people ask to see how a server is, and what changes nothing.
                case ANY -> {}
                // Whole servers with directories on a disk, which a simulation does not have.
                case MDS -> {}
                case IO -> expected.add("io receives " + kind + " before");
                default -> expected.add("mds receives " + kind + " before");
            }
        }
        ShardTables.ALL.forEach(table -> expected.add("mds commits " + table.name() + " before"));
        // Nothing is kept in an IO server's META yet.
        DatafileTables.ALL.stream()
                .filter(table -> !table.equals(DatafileTables.META))
                .forEach(table -> expected.add("io commits " + table.name() + " before"));
        expected.removeIf(places::containsKey);
        return expected;
    }

    /** One line for each place. */
    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder("  ended  in runs  place\n");
        places.forEach((place, seen) -> text.append(String.format("%7d  %7d  %s%n", seen.ended(), seen.runs(), place)));
        return text.toString();
    }
}
