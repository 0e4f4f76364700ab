package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.work.WorkKind;
import java.util.Optional;

/** The speed that SteadFS aims for, as a multiple of the speed of HDFS. */
final class Targets {
    private Targets() {}

    static Optional<Double> of(WorkKind kind, int threads) {
        return switch (kind) {
            case CREATE -> at(threads, 5, 10, 10);
            case CREATE_4K -> Optional.of(10.0);
            case STAT, STAT_MISS ->
                threads == 1 ? Optional.of(1.5) : threads >= 24 ? Optional.of(2.5) : Optional.empty();
            case RENAME, DELETE -> Optional.of(2.5);
            case LIST -> Optional.of(3.0);
            case READ_4K -> Optional.of(5.0);
            case SPARK -> Optional.of(4.0);
            case STREAM_WRITE, STREAM_READ -> Optional.of(1.5);
            case CREATE_SEPARATE -> Optional.empty();
        };
    }

    private static Optional<Double> at(int threads, double one, double eight, double more) {
        return Optional.of(threads == 1 ? one : threads <= 8 ? eight : more);
    }
}
