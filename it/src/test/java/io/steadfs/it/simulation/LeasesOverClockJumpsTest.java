package io.steadfs.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Wall clocks of metadata servers, IO servers and clients jump by an hour, forth and back, while files are made from leased handles
 * and whatever else of the simulation goes wrong: no file lacks a datafile, and nothing is left.
 */
class LeasesOverClockJumpsTest {
    private static final long FIRST = Long.getLong("stead.seed", 1);

    /** A quarter of the simulation's. */
    private static final int SEEDS = Math.max(1, Integer.getInteger("stead.simulation.seeds", 100) / 4);

    private static final List<String> PROTOCOLS = List.of("compound", "precreated", Plan.EAGER);
    private static final int JUMPS_OF_A_ROLE = 3;

    @Test
    void noFileLosesADatafile() {
        List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        SortedMap<String, Integer> jumps = Collections.synchronizedSortedMap(new TreeMap<>());
        Consumer<Simulation.Result> look = result -> {
            result.violation()
                    .ifPresent(what -> wrong.add("seed " + result.plan().seed() + ": " + what));
            result.jumps().forEach((which, count) -> jumps.merge(which, count, Integer::sum));
        };
        LongStream.range(FIRST, FIRST + SEEDS)
                .parallel()
                .mapToObj(seed -> SeedRun.of(plan(seed)))
                .forEach(look);
        System.out.println(SEEDS + " seeds from " + FIRST + ", wall clocks that jumped by an hour: " + jumps);
        assertThat(wrong).isEmpty();
        if (SEEDS >= 20) {
            Set<String> expected = new TreeSet<>();
            for (String role : List.of("mds", "io", "client")) {
                expected.add(role + " forth, leases");
                expected.add(role + " back, leases");
            }
            assertThat(jumps).containsKeys(expected.toArray(String[]::new));
        }
    }

    /** That of the seed, by a protocol with leases. */
    private static Plan plan(long seed) {
        Plan plan = Plan.of(seed);
        SplittableRandom random = new SplittableRandom(~seed);
        int metadataServers = plan.metadataServers();
        int servers = metadataServers + plan.ioServers();
        List<Fault> jumps = new ArrayList<>();
        for (int i = 0; i < JUMPS_OF_A_ROLE; i++) {
            jumps.add(jump(random, random.nextInt(metadataServers), plan));
            jumps.add(jump(random, metadataServers + random.nextInt(plan.ioServers()), plan));
            jumps.add(jump(random, servers + random.nextInt(plan.steps().size()), plan));
        }
        return plan.with(PROTOCOLS.get(random.nextInt(PROTOCOLS.size())), jumps);
    }

    private static Fault jump(SplittableRandom random, int target, Plan plan) {
        return new Fault(Fault.Kind.HOUR_JUMP, target, random.nextInt(2), random.nextLong(plan.spanMillis()), 1);
    }
}
