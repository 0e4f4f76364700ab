package io.steadfs.lab.bench.figure.listing;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.report.Progress;
import io.steadfs.lab.bench.figure.ground.Experiment;
import io.steadfs.lab.bench.figure.ground.Outcome;
import io.steadfs.lab.bench.figure.ground.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures listings with each number of shards. Each has a new cluster. */
public record ListingExperiment(ListingPlan plan) implements Experiment {
    @Override
    public Outcome measure(Place place, Progress progress) throws IOException, InterruptedException {
        List<Listing> all = new ArrayList<>();
        for (int shards : plan.points()) {
            progress.say("figure s8, " + place.name() + ": " + shards + " shards");
            try (Cleanup cleanup = new Cleanup()) {
                all.addAll(new ListingBench(plan, shards, place, cleanup).run(progress));
            }
        }
        return new ListingTable(all);
    }
}
