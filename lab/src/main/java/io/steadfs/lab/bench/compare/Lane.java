package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.system.Contender;
import io.steadfs.lab.bench.compare.system.Contender.Costs;
import io.steadfs.lab.bench.compare.work.Work;
import io.steadfs.lab.bench.pace.Latencies;
import io.steadfs.lab.bench.pace.Spent;
import io.steadfs.lab.bench.pace.Together;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The rounds of one work with one number of threads on one system, with their results. Only one thread may use a lane.
 */
final class Lane {
    private static final int FIRST_OPERATIONS = 2;

    /** Part of a round's intended duration that the last rehearsal must reach. */
    private static final double NEARLY = 0.7;

    private final String name;
    private final Optional<Contender> contender;
    private final List<Work> works;
    private final Together together;
    private final int unitsOfOperation;
    private final List<Double> rates = new ArrayList<>();
    private final Latencies latencies = new Latencies();
    private int operationsOfThread;
    private long operations;
    private Spent byServers = Spent.NOTHING;
    private Spent byClients = Spent.NOTHING;
    private Optional<Costs> costs = Optional.empty();

    /**
     * @param contender the system to measure; empty if the work needs no servers
     * @param works one work for each thread
     */
    Lane(String name, Optional<Contender> contender, List<Work> works, int unitsOfOperation, Together together) {
        this.name = name;
        this.contender = contender;
        this.works = List.copyOf(works);
        this.unitsOfOperation = unitsOfOperation;
        this.together = together;
    }

    boolean hasServers() {
        return contender.isPresent();
    }

    /** Sets how many operations each thread does in a round. */
    void fix(int operationsOfThread) {
        this.operationsOfThread = operationsOfThread;
    }

    /**
     * Makes rehearsal rounds longer until one rehearsal round nearly takes {@code roundMillis}. Then sets the number of
     * operations of a round to match {@code roundMillis}. The lane keeps no measurement of a rehearsal.
     */
    void rehearse(int roundMillis) throws IOException, InterruptedException {
        int each = FIRST_OPERATIONS;
        double seconds = timed(each);
        while (seconds * 1000 < roundMillis * NEARLY) {
            double wanted = each * (roundMillis / 1000.0) / Math.max(seconds, 1e-4);
            each = (int) Math.max(each + 1, Math.min(wanted, each * 8.0));
            seconds = timed(each);
        }
        operationsOfThread = (int) Math.max(1, Math.round(each * (roundMillis / 1000.0) / seconds));
    }

    /**
     * Repeats rehearsal rounds for {@code millis} milliseconds, but at least once. Each rehearsal round has the number
     * of operations that was set before.
     */
    void rehearseFor(int millis) throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        do {
            timed(operationsOfThread);
        } while (System.nanoTime() - until < 0);
    }

    private double timed(int each) throws IOException, InterruptedException {
        together.seconds(works, work -> work.prepare(each));
        double seconds = together.seconds(timedWorks(), work -> work.run(each));
        together.seconds(works, Work::clean);
        return seconds;
    }

    /** Runs a round and adds its measurements to the results. */
    void round() throws IOException, InterruptedException {
        Round round = once();
        byClients = byClients.plus(round.byClients);
        byServers = byServers.plus(round.byServers);
        if (round.costs.isPresent()) {
            Costs grown = round.costs.get();
            costs = Optional.of(costs.map(grown::plus).orElse(grown));
        }
        long done = (long) operationsOfThread * works.size();
        operations += done;
        round.works.forEach(work -> latencies.add(work.latencies()));
        rates.add(done * unitsOfOperation / round.seconds);
    }

    /**
     * Runs a round without adding its measurements to the results.
     *
     * @return the part of the processor time that Java's compilers took in the round, from 0 to 1
     */
    double uncountedRound() throws IOException, InterruptedException {
        Round round = once();
        return round.byServers.plus(round.byClients).compilingPart();
    }

    /** The work of one thread, with a histogram that only this thread records in. */
    private record TimedWork(Work work, Latencies latencies) {
        void run(int operations) throws IOException {
            work.run(operations, latencies);
        }
    }

    private List<TimedWork> timedWorks() {
        return works.stream().map(work -> new TimedWork(work, new Latencies())).toList();
    }

    private record Round(
            double seconds, List<TimedWork> works, Spent byServers, Spent byClients, Optional<Costs> costs) {}

    private Round once() throws IOException, InterruptedException {
        int each = operationsOfThread;
        together.seconds(works, work -> work.prepare(each));
        List<TimedWork> timed = timedWorks();
        Optional<Costs> costsBefore = costsNow();
        Spent serversBefore = serversNow();
        Spent clientsBefore = clientsNow();
        double seconds = together.seconds(timed, work -> work.run(each));
        Spent clients = clientsNow().since(clientsBefore);
        Spent servers = serversNow().since(serversBefore);
        Optional<Costs> costsAfter = costsNow();
        together.seconds(works, Work::clean);
        if (contender.isPresent()) {
            contender.get().awaitQuiet();
        }
        return new Round(
                seconds,
                timed,
                servers,
                clients,
                costsBefore.flatMap(before -> costsAfter.map(after -> after.since(before))));
    }

    private Optional<Costs> costsNow() throws IOException {
        return contender.isPresent() ? contender.get().costs() : Optional.empty();
    }

    private Spent serversNow() {
        return contender.map(system -> Spent.by(system.servers().values())).orElse(Spent.NOTHING);
    }

    /** Processor use of this process, which runs all clients and the code that observes the servers. */
    private static Spent clientsNow() {
        long nanos =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                        ? system.getProcessCpuTime()
                        : 0;
        return Spent.byThis(Duration.ofNanos(nanos));
    }

    Measured measured() {
        double count = Math.max(1, operations);
        return new Measured(
                name,
                rates,
                operations,
                OperationLatency.of(latencies),
                byServers,
                byClients,
                costs.map(sum -> sum.messages() / count),
                costs.map(sum -> sum.fsyncs() / count));
    }
}
