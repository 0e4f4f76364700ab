package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.work.WorkKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One work with one number of threads on all systems, while it is measured. One thread uses it. */
final class Row {
    /** Part of the processors' time that compilers may have while rounds count. */
    private static final double SETTLED = 0.1;

    private final WorkKind kind;
    private final int threads;
    private final List<Lane> lanes;
    private final Rest rest;
    private int rounds;
    private long nanos;

    /** Returns when servers are at rest, and all is as a round should find it. */
    @FunctionalInterface
    interface Rest {
        void await() throws IOException, InterruptedException;
    }

    Row(WorkKind kind, int threads, List<Lane> lanes, Rest rest) {
        this.kind = kind;
        this.threads = threads;
        this.lanes = List.copyOf(lanes);
        this.rest = rest;
    }

    /** Lets each lane find how many operations a round has. */
    void rehearse(ComparePlan plan) throws IOException, InterruptedException {
        for (Lane lane : lanes) {
            if (kind.isStream()) {
                lane.fix(plan.streamMebibytes() / threads);
                lane.rehearseFor(0);
            } else {
                lane.rehearse(plan.roundMillis());
            }
        }
    }

    /** Lets Java's compilers see the work, here and in the servers. */
    void rehearseFor(int millis) throws IOException, InterruptedException {
        for (Lane lane : lanes) {
            if (lane.hasServers()) {
                lane.rehearseFor(millis);
            }
        }
    }

    /**
     * Rounds that do not count, until Java's compilers have next to nothing to do in all lanes: a work behind another one finds
     * the other one's rows and pages at hand, and code that was made for the other one. They go the other way than the round
     * that follows, so that its first lane is behind itself.
     *
     * @param most rounds of each lane; 0 for none at all
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

    /** One round of each lane, there and back: so each is behind itself and behind its neighbours as often as they are. */
    void round() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        for (Lane lane : order(rounds)) {
            rest.await();
            lane.round();
        }
        rounds++;
        nanos += System.nanoTime() - begun;
    }

    /**
     * By how much the variance of the ratio's logarithm is expected to shrink for each second that goes into one more round:
     * its variance, s<sup>2</sup> / n after n rounds, becomes s<sup>2</sup> / (n + 1). Settling is part of what a round takes.
     * Infinite before the second round.
     */
    double gain() {
        return gain(cell().ratio().error(), rounds, (double) nanos / TimeUnit.SECONDS.toNanos(1));
    }

    static double gain(double error, int rounds, double seconds) {
        return rounds < 2 ? Double.POSITIVE_INFINITY : error * error / (rounds + 1) * rounds / seconds;
    }

    Cell cell() {
        return new Cell(kind, threads, lanes.stream().map(Lane::measured).toList());
    }
}
