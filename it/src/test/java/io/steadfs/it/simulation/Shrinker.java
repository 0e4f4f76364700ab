package io.steadfs.it.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes a failing run short: leaves out steps, faults and crashes, in ever smaller groups, as long as something is wrong
 * without them too. What is wrong need not be the same thing; it rarely is another.
 */
final class Shrinker {
    private final int mostRuns;
    private int runs;

    /** A run in its parts. */
    private record Parts(List<Part> parts) {
        Parts without(int from, int count) {
            List<Part> left = new ArrayList<>(parts.subList(0, from));
            left.addAll(parts.subList(Math.min(parts.size(), from + count), parts.size()));
            return new Parts(left);
        }

        Plan plan(Plan like) {
            List<List<Step>> steps = new ArrayList<>();
            for (int client = 0; client < like.steps().size(); client++) {
                List<Step> own = new ArrayList<>();
                for (Part part : parts) {
                    if (part instanceof OfClient of && of.client() == client) {
                        own.add(of.step());
                    }
                }
                steps.add(own);
            }
            List<Fault> faults = new ArrayList<>();
            for (Part part : parts) {
                if (part instanceof Wrong wrong) {
                    faults.add(wrong.fault());
                }
            }
            return new Plan(
                    like.seed(),
                    like.metadataServers(),
                    like.shards(),
                    like.ioServers(),
                    like.protocol(),
                    like.patienceMillis(),
                    steps,
                    faults);
        }

        CrashPoints.Arming arming() {
            List<CrashPoints.Crash> crashes = new ArrayList<>();
            for (Part part : parts) {
                if (part instanceof Crashed crashed) {
                    crashes.add(crashed.crash());
                }
            }
            return CrashPoints.Arming.of(crashes);
        }
    }

    private sealed interface Part {}

    private record OfClient(int client, Step step) implements Part {}

    private record Wrong(Fault fault) implements Part {}

    private record Crashed(CrashPoints.Crash crash) implements Part {}

    /** @param mostRuns of the simulation */
    Shrinker(int mostRuns) {
        this.mostRuns = mostRuns;
    }

    /** The shortest failing run found; the given one at worst. */
    Simulation.Result shrink(Simulation.Result failing) {
        List<Part> all = new ArrayList<>();
        failing.plan().faults().forEach(fault -> all.add(new Wrong(fault)));
        failing.crashes().forEach(crash -> all.add(new Crashed(crash)));
        for (int client = 0; client < failing.plan().steps().size(); client++) {
            for (Step step : failing.plan().steps().get(client)) {
                all.add(new OfClient(client, step));
            }
        }
        Parts best = new Parts(all);
        Simulation.Result shortest = failing;
        for (int size = all.size() / 2; size > 0; size /= 2) {
            for (int from = 0; from < best.parts().size() && runs < mostRuns; ) {
                Parts tried = best.without(from, size);
                Simulation.Result result = run(tried, failing.plan());
                if (result.violation().isPresent()) {
                    best = tried;
                    shortest = result;
                } else {
                    from += size;
                }
            }
        }
        return shortest;
    }

    private Simulation.Result run(Parts parts, Plan like) {
        runs++;
        return Simulation.run(parts.plan(like), parts.arming());
    }

    /** The run in words: who does what, what goes wrong, and what is wrong at the end. */
    static String tell(Simulation.Result result) {
        StringBuilder text = new StringBuilder();
        Plan plan = result.plan();
        text.append("seed ")
                .append(plan.seed())
                .append(": ")
                .append(plan.metadataServers())
                .append(" metadata servers with ")
                .append(plan.shards())
                .append(" shards, ")
                .append(plan.ioServers())
                .append(" IO servers, ")
                .append(plan.protocol())
                .append(" creates, patience ")
                .append(plan.patienceMillis())
                .append(" ms");
        for (int client = 0; client < plan.steps().size(); client++) {
            for (Step step : plan.steps().get(client)) {
                text.append("\n  client-")
                        .append(client)
                        .append(" after ")
                        .append(step.pauseMillis())
                        .append(" ms: ")
                        .append(step);
            }
        }
        plan.faults().forEach(fault -> text.append("\n  ").append(fault));
        result.crashes().forEach(crash -> text.append("\n  ").append(crash));
        return text.append("\n  then: ")
                .append(result.violation().orElse("all is well"))
                .toString();
    }
}
