package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.work.WorkKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Measures one work with one number of threads on all systems. Only one thread may use a row. */
final class Row {
    /** Counted rounds begin once Java's compilers take at most this part of the processor time. */
    private static final double SETTLED = 0.1;

    private final WorkKind kind;
    private final int threads;
    private final List<Lane> lanes;
    private final Optional<FloorLanes> floor;
    private final Rest rest;
    private int rounds;
    private long nanos;

    /** Waits until the servers are idle and everything is ready for a round. */
    @FunctionalInterface
    interface Rest {
        void await() throws IOException, InterruptedException;
    }

    Row(WorkKind kind, int threads, List<Lane> lanes, Optional<FloorLanes> floor, Rest rest) {
        this.kind = kind;
        this.threads = threads;
        this.lanes = List.copyOf(lanes);
        this.floor = floor;
        this.rest = rest;
    }

    /** Rehearses the work on each lane, and decides how many operations a round of each lane has. */
    void rehearse(ComparePlan plan) throws IOException, InterruptedException {
        for (Lane lane : lanes) {
            if (kind.isStream()) {
                lane.fix(plan.streamMebibytes() / threads);
                lane.rehearseFor(0);
            } else {
                lane.rehearse(plan.roundMillis());
            }
        }
        if (floor.isPresent()) {
            floor.get().rehearse(plan.roundMillis());
        }
    }

    /**
     * Rehearses the work on each lane with servers, so that Java compiles the code of clients and servers.
     *
     * @param millis duration of the rehearsal on each lane, in milliseconds
     */
    void rehearseFor(int millis) throws IOException, InterruptedException {
        for (Lane lane : lanes) {
            if (lane.hasServers()) {
                lane.rehearseFor(millis);
            }
        }
    }

    /**
     * Runs uncounted rounds of all lanes until Java's compilers have almost nothing left to do. Just after another
     * work, the caches still hold rows and pages of the other work. Compiled code also still suits the other work.
     * Uncounted rounds use the opposite order of the next counted round. So the next counted round begins with the lane
     * that ran last.
     *
     * @param most largest number of uncounted rounds of each lane; 0 = none
     */
    void settle(int most) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        List<Lane> order = order(rounds + 1);
        double compiling = 1;
        for (int i = 0; i < most && compiling > SETTLED; i++) {
            compiling = 0;
            for (Lane lane : order) {
                rest.await();
                compiling = Math.max(compiling, lane.uncountedRound());
            }
        }
        nanos += System.nanoTime() - begun;
    }

    private List<Lane> order(int round) {
        List<Lane> order = new ArrayList<>(lanes);
        if (round % 2 == 1) {
            Collections.reverse(order);
        }
        return order;
    }

    /**
     * Runs one counted round of each lane. Every second round reverses the order of the lanes. So no lane always has
     * the same predecessor.
     */
    void round() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        for (Lane lane : order(rounds)) {
            rest.await();
            lane.round();
        }
        if (floor.isPresent()) {
            rest.await();
            floor.get().round();
        }
        rounds++;
        nanos += System.nanoTime() - begun;
    }

    /**
     * How much one more round is expected to reduce the variance of the ratio's logarithm, per second of that round.
     * After n rounds, the variance is s<sup>2</sup> / n. After one more round, the variance is s<sup>2</sup> / (n + 1).
     * The duration of a round includes a share of the uncounted rounds. Before the second round, the gain is infinite.
     */
    double gain() {
        return gain(cell().ratio().error(), rounds, (double) nanos / TimeUnit.SECONDS.toNanos(1));
    }

    static double gain(double error, int rounds, double seconds) {
        return rounds < 2 ? Double.POSITIVE_INFINITY : error * error / (rounds + 1) * rounds / seconds;
    }

    Cell cell() {
        List<Measured> measured = lanes.stream().map(Lane::measured).toList();
        return new Cell(kind, threads, measured, floor.flatMap(bare -> bare.of(measured.get(0))));
    }
}
