package io.steadfs.cli.bench.compare;

import java.util.ArrayList;
import java.util.List;

/** The least and the greatest of some numbers, and one for the middle of them. */
record Spread(double least, double middle, double greatest) {
    /** With the one in the middle, or the mean of both middle ones where their number is even. */
    static Spread of(List<Double> numbers) {
        if (numbers.isEmpty()) {
            throw new IllegalArgumentException("no numbers");
        }
        List<Double> sorted = numbers.stream().sorted().toList();
        int half = sorted.size() / 2;
        double middle = sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
        return new Spread(sorted.get(0), middle, sorted.get(sorted.size() - 1));
    }

    /**
     * Of the ratios of numbers at the same place. Their middle is the estimate of Hodges and Lehmann (Annals of Mathematical
     * Statistics 34, 1963): of the means of every two of them, each with itself too, the one in the middle. One wild round
     * moves it as little as the middle one of the ratios; chance moves it less.
     */
    static Spread ofRatios(List<Double> numbers, List<Double> to) {
        List<Double> ratios = new ArrayList<>();
        List<Double> means = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i++) {
            ratios.add(numbers.get(i) / to.get(i));
            for (double ratio : ratios) {
                means.add((ratio + ratios.get(i)) / 2);
            }
        }
        Spread all = of(ratios);
        return new Spread(all.least(), of(means).middle(), all.greatest());
    }
}
