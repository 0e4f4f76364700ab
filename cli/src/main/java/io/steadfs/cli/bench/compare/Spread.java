package io.steadfs.cli.bench.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * Of some numbers the least, the middle one (the mean of both middle ones where their number is even) and the greatest.
 */
record Spread(double least, double middle, double greatest) {
    static Spread of(List<Double> numbers) {
        if (numbers.isEmpty()) {
            throw new IllegalArgumentException("no numbers");
        }
        List<Double> sorted = numbers.stream().sorted().toList();
        int half = sorted.size() / 2;
        double middle = sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
        return new Spread(sorted.get(0), middle, sorted.get(sorted.size() - 1));
    }

    /** Of the ratios of numbers at the same place. */
    static Spread ofRatios(List<Double> numbers, List<Double> to) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i++) {
            ratios.add(numbers.get(i) / to.get(i));
        }
        return of(ratios);
    }
}
