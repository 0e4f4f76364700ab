package io.steadfs.lab.bench.figure.ground;

/**
 * Mean and standard deviation of samples that are added one by one (Welford's method). Only one thread may add samples.
 */
public final class Moments {
    private long count;
    private double mean;
    private double squares;

    public void add(double sample) {
        count++;
        double off = sample - mean;
        mean += off / count;
        squares += off * (sample - mean);
    }

    public long count() {
        return count;
    }

    public double mean() {
        return mean;
    }

    /** Standard deviation of the samples; 0 if there is only one sample. */
    public double deviation() {
        return count < 2 ? 0 : Math.sqrt(squares / (count - 1));
    }
}
