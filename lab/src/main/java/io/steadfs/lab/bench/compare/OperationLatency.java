package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.pace.Latencies;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long operations took, from call to return. Each thread calls the next operation when the last one has returned.
 *
 * @param operations number of measured operations. A whole stream counts as one operation
 * @param p50Micros time in microseconds that half of the operations did not exceed; 0 if there are no operations
 * @param p99Micros time in microseconds that 99 of 100 operations did not exceed. With fewer than 100 operations, this is
 *     the longest one; 0 if there are none
 */
record OperationLatency(long operations, double p50Micros, double p99Micros) {
    static OperationLatency of(Latencies latencies) {
        return new OperationLatency(latencies.count(), latencies.percentileMicros(50), latencies.percentileMicros(99));
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("operations", operations);
        fields.put("p50Micros", p50Micros);
        fields.put("p99Micros", p99Micros);
        return fields;
    }
}
