package io.steadfs.lab.bench.figure;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.report.Progress;
import io.steadfs.lab.bench.figure.ground.Experiment;
import io.steadfs.lab.bench.figure.ground.Outcome;
import io.steadfs.lab.bench.figure.ground.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures all series of a plan at each of its points. Each point has a new cluster. */
record PointsExperiment(FigurePlan plan) implements Experiment {
    @Override
    public Outcome measure(Place place, Progress progress) throws IOException, InterruptedException {
        List<Measured> all = new ArrayList<>();
        boolean first = true;
        for (int point : plan.points()) {
            progress.say("figure " + plan.figure().id + ", " + place.name() + ": " + point + " " + plan.figure().x);
            try (Cleanup cleanup = new Cleanup()) {
                PointBench bench = new PointBench(plan, point, place, cleanup);
                if (first || plan.figure().needsRehearsalAtEachPoint()) {
                    bench.rehearse(plan.rehearsal());
                    first = false;
                }
                all.addAll(bench.run());
            }
        }
        MeasuredTable table = new MeasuredTable(plan.figure(), all);
        return plan.figure() == Figure.FOR_EACH_SERVER ? table.forEachServer() : table;
    }
}
