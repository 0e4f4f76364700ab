package io.steadfs.lab.bench;

import io.steadfs.cli.report.Json;
import io.steadfs.cli.report.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results of several protocols whose rounds took turns. All ratios are relative to the first protocol. */
record SideBySide(List<CreateResult> results) {
    SideBySide {
        results = List.copyOf(results);
    }

    private CreateResult first() {
        return results.get(0);
    }

    private static double ratio(CreateResult of, CreateResult to) {
        return Math.round(of.createsPerSecond() / to.createsPerSecond() * 1000) / 1000.0;
    }

    /** Ratio of the two protocols' create rates in each round. The ratios are in ascending order. */
    private static List<Double> roundRatios(CreateResult of, CreateResult to) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < of.roundSeconds().size(); round++) {
            double ratio = to.roundSeconds().get(round) / of.roundSeconds().get(round);
            ratios.add(Math.round(ratio * 1000) / 1000.0);
        }
        return ratios.stream().sorted().toList();
    }

    String json() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("bench", "create side by side");
        fields.put("rounds", first().roundSeconds().size());
        fields.put("results", results.stream().map(CreateResult::fields).toList());
        Map<String, Object> ratios = new LinkedHashMap<>();
        for (CreateResult result : results.subList(1, results.size())) {
            Map<String, Object> ratio = new LinkedHashMap<>();
            List<Double> rounds = roundRatios(result, first());
            ratio.put("createsPerSecond", ratio(result, first()));
            ratio.put("lowestRound", rounds.get(0));
            ratio.put("highestRound", rounds.get(rounds.size() - 1));
            ratios.put(result.protocol() + "/" + first().protocol(), ratio);
        }
        fields.put("ratios", ratios);
        return Json.line(fields);
    }

    String text() {
        StringBuilder out = new StringBuilder();
        for (CreateResult result : results) {
            out.append(result.text()).append('\n');
        }
        TextTable table =
                new TextTable(1, "side by side", "files/s", "of " + first().protocol(), "rounds", "messages", "steps");
        for (CreateResult result : results) {
            List<Double> rounds = roundRatios(result, first());
            table.row(
                    result.protocol(),
                    String.format(Locale.ROOT, "%,.0f", result.createsPerSecond()),
                    ratio(result, first()),
                    rounds.get(0) + " to " + rounds.get(rounds.size() - 1),
                    result.messages(),
                    result.stepsOfCreate());
        }
        return out.append(table).toString();
    }
}
