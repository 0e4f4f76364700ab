package io.steadfs.lab.bench.figure.ground;

import io.steadfs.cli.report.Progress;
import java.io.IOException;

/** Measures one figure. Its options are checked already. */
public interface Experiment {
    /** Measures the figure with the servers' data at the place. Removes all that it made there. */
    Outcome measure(Place place, Progress progress) throws IOException, InterruptedException;
}
