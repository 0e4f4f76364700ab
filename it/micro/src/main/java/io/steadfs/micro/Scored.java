package io.steadfs.micro;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * What JMH measured of one benchmark.
 *
 * @param parameters "protocol=unified", or nothing
 * @param error half of the 99.9 % confidence interval, in the same unit; empty where there are too few samples
 * @param allocated bytes for each operation, by all threads of the process
 */
record Scored(
        String benchmark,
        String parameters,
        double score,
        Optional<Double> error,
        String unit,
        Optional<Double> allocated,
        long samples) {
    static Scored of(RunResult result) {
        Result<?> primary = result.getPrimaryResult();
        String name = result.getParams().getBenchmark();
        String parameters = result.getParams().getParamsKeys().stream()
                .map(key -> key + "=" + result.getParams().getParam(key))
                .collect(Collectors.joining(", "));
        double error = primary.getScoreError();
        return new Scored(
                name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1)
                        .replace("Benchmark", ""),
                parameters,
                primary.getScore(),
                Double.isNaN(error) ? Optional.empty() : Optional.of(error),
                primary.getScoreUnit(),
                Optional.ofNullable(result.getSecondaryResults().get("gc.alloc.rate.norm"))
                        .map(each -> each.getScore()),
                primary.getSampleCount());
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("benchmark", benchmark);
        fields.put("parameters", parameters);
        fields.put("score", score);
        error.ifPresent(value -> fields.put("error", value));
        fields.put("unit", unit);
        allocated.ifPresent(bytes -> fields.put("allocatedBytesPerOperation", bytes));
        fields.put("samples", samples);
        return fields;
    }
}
