package io.steadfs.lab.bench.figure;

/**
 * Computes the mean and the standard deviation of samples, one sample after another, by Welford's method. Only one
 * thread at a time may add samples.
 */
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

    /** Standard deviation of the samples; 0 for a single sample. */
    double deviation() {
        return count < 2 ? 0 : Math.sqrt(squares / (count - 1));
    }
}
