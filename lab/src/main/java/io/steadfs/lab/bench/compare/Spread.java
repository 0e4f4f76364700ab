package io.steadfs.lab.bench.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * The least and the greatest of some numbers, one for the middle of them, and how certain that is.
 *
 * @param error the standard error of the middle as a part of it: that of the mean of the numbers' logarithms; 0 of a single
 *     number, of which nothing is known
 */
record Spread(double least, double middle, double greatest, double error) {
    /** With the one in the middle, or the mean of both middle ones where their number is even. */
    static Spread of(List<Double> numbers) {
        if (numbers.isEmpty()) {
            throw new IllegalArgumentException("no numbers");
        }
        List<Double> sorted = numbers.stream().sorted().toList();
        return new Spread(sorted.get(0), middle(sorted), sorted.get(sorted.size() - 1), error(sorted));
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
        return new Spread(all.least, middle(means.stream().sorted().toList()), all.greatest, all.error);
    }

    private static double middle(List<Double> sorted) {
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    private static double error(List<Double> numbers) {
        int count = numbers.size();
        if (count == 1) {
            return 0;
        }
        double mean = numbers.stream().mapToDouble(Math::log).average().orElseThrow();
        double squares = numbers.stream()
                .mapToDouble(number -> Math.pow(Math.log(number) - mean, 2))
                .sum();
        return Math.sqrt(squares / (count - 1) / count);
    }
}
