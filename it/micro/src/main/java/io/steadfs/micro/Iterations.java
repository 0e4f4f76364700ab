package io.steadfs.micro;

/** How long a benchmark runs: in each fork some iterations to warm up, then those that count. */
record Iterations(int forks, int warmUps, int measured, int millis) {
    static final Iterations FULL = new Iterations(2, 5, 5, 1000);
    static final Iterations QUICK = new Iterations(1, 3, 3, 500);

    /** In the process itself, which tests that it works and measures nothing. */
    static final Iterations INSTANT = new Iterations(0, 1, 1, 20);
}
