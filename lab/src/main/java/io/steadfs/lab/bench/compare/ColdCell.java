package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.cold.ColdWork;
import io.steadfs.lab.bench.compare.cold.FirstOperations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What new clients of both systems measured of one work with one number of threads. Both lists have a result for each
 * round, in the order of the rounds. Only one thread may use a cell.
 *
 * @param warm whether servers had served other clients before; if not, they had just started
 */
record ColdCell(boolean warm, ColdWork work, int threads, List<FirstOperations> first, List<FirstOperations> second) {
    ColdCell(boolean warm, ColdWork work, int threads) {
        this(warm, work, threads, new ArrayList<>(), new ArrayList<>());
    }

    /** Which of a client's first operations a rate is of. */
    enum Part {
        FIRST_100("first 100", "first100"),
        FIRST_1000("first 1,000", "first1000");

        final String title;
        final String field;

        Part(String title, String field) {
            this.title = title;
            this.field = field;
        }

        /** Operations a second, for each round. */
        List<Double> rates(List<FirstOperations> measured) {
            return measured.stream()
                    .map(first -> this == FIRST_100 ? first.rateOf100() : first.rateOf1000())
                    .toList();
        }
    }

    /** Ratios of the first system's rates to the second's, round by round. */
    Spread ratio(Part part) {
        return Spread.ofRatios(part.rates(first), part.rates(second));
    }

    /** Seconds until a client had a FileSystem, for each round. */
    static List<Double> openSeconds(List<FirstOperations> measured) {
        return measured.stream().map(FirstOperations::openSeconds).toList();
    }

    /** The state of the servers, in words for reports. */
    String servers() {
        return warm ? "warm" : "fresh";
    }

    /** One line of text for the user who watches the comparison. */
    String line() {
        return String.format(
                Locale.ROOT,
                "servers %s, %s, threads: %d: first 100 %.0f and %.0f a second, first 1,000 %.0f and %.0f",
                servers(),
                work.title,
                threads,
                last(Part.FIRST_100.rates(first)),
                last(Part.FIRST_100.rates(second)),
                last(Part.FIRST_1000.rates(first)),
                last(Part.FIRST_1000.rates(second)));
    }

    private static double last(List<Double> rates) {
        return rates.get(rates.size() - 1);
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("servers", servers());
        fields.put("work", work.name().toLowerCase(Locale.ROOT));
        fields.put("threads", threads);
        for (Part part : Part.values()) {
            Map<String, Object> of = new LinkedHashMap<>();
            of.put("ratio", ratio(part).fields());
            of.put("firstRates", rounded(part.rates(first)));
            of.put("secondRates", rounded(part.rates(second)));
            fields.put(part.field, of);
        }
        fields.put("firstOpenSeconds", rounded(openSeconds(first)));
        fields.put("secondOpenSeconds", rounded(openSeconds(second)));
        return fields;
    }

    static List<Double> rounded(List<Double> values) {
        return values.stream().map(Measured::rounded).toList();
    }
}
