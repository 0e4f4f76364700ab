package io.steadfs.lab.bench.figure.growth;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.report.Progress;
import io.steadfs.lab.bench.figure.ground.Experiment;
import io.steadfs.lab.bench.figure.ground.Outcome;
import io.steadfs.lab.bench.figure.ground.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures the rate of creates over time with each number of shards. Each has a new cluster. */
public record GrowthExperiment(GrowthPlan plan) implements Experiment {
    @Override
    public Outcome measure(Place place, Progress progress) throws IOException, InterruptedException {
        List<Growth> all = new ArrayList<>();
        for (int shards : plan.points()) {
            progress.say("figure s7, " + place.name() + ": " + shards + " shards, " + plan.clientsAt(shards)
                    + " clients, " + plan.rounds() + " rounds of "
                    + plan.series().size() + " turns of "
                    + plan.seconds() + " s");
            try (Cleanup cleanup = new Cleanup()) {
                all.addAll(new GrowthBench(plan, shards, place, cleanup).run());
            }
        }
        return new GrowthTable(all);
    }
}
