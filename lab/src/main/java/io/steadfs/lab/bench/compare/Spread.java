package io.steadfs.lab.bench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The least, the middle and the greatest of some numbers, and how certain the middle is.
 *
 * @param error relative standard error of the middle: the standard error of the mean of the numbers' logarithms; 0 for
 *     a single number, whose error is unknown
 */
public record Spread(double least, double middle, double greatest, double error) {
    /**
     * The spread of the numbers, with the median as the middle. If the count of numbers is even, the median is the mean
     * of the two middle numbers.
     */
    public static Spread of(List<Double> numbers) {
        if (numbers.isEmpty()) {
            throw new IllegalArgumentException("no numbers");
        }
        List<Double> sorted = numbers.stream().sorted().toList();
        return new Spread(sorted.get(0), middle(sorted), sorted.get(sorted.size() - 1), error(sorted));
    }

    /**
     * The spread of the ratios of numbers at the same position of both lists. The middle is the Hodges-Lehmann estimate
     * (Annals of Mathematical Statistics 34, 1963). The Hodges-Lehmann estimate is the median of the means of all pairs
     * of ratios, including pairs of a ratio with itself. A single outlier hardly changes the Hodges-Lehmann estimate,
     * and hardly changes a median. The Hodges-Lehmann estimate varies less by chance than a median does.
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

    /** The error for people, such as "5 %". */
    String errorText() {
        return String.format(Locale.ROOT, "%.0f %%", 100 * error);
    }

    /** The numbers for a report in JSON. */
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("middle", Measured.rounded(middle));
        fields.put("least", Measured.rounded(least));
        fields.put("greatest", Measured.rounded(greatest));
        fields.put("error", Measured.rounded(error));
        return fields;
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
