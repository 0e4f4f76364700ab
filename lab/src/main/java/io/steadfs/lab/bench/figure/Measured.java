package io.steadfs.lab.bench.figure;

/**
 * One point of one line.
 *
 * @param mean in the unit of the figure, as is {@code deviation}
 */
record Measured(String series, int x, double mean, double deviation, long samples) {}
