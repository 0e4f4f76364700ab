package io.steadfs.lab.bench.figure;

/** Mean and standard deviation of samples as they come (Welford's method). One thread adds. */
final class Moments {
    private long count;
    private double mean;
    private double squares;

    void add(double sample) {
        count++;
        double off = sample - mean;
        mean += off / count;
        squares += off * (sample - mean);
    }

    long count() {
        return count;
    }

    double mean() {
        return mean;
    }

    /** Of the samples; 0 for a single one. */
    double deviation() {
        return count < 2 ? 0 : Math.sqrt(squares / (count - 1));
    }
}
