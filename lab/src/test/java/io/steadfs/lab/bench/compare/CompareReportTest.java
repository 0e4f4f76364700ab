package io.steadfs.lab.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.lab.bench.compare.work.WorkKind;
import io.steadfs.lab.bench.machine.Machine;
import io.steadfs.lab.bench.pace.Spent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompareReportTest {
    @Test
    void tableHasTheLatencyOfBothSides() {
        assertThat(report().markdown())
                .contains(
                        "| work | threads | p50: SteadFS | HDFS | p99: SteadFS | HDFS | operations: SteadFS | HDFS |",
                        "| attributes of a file | 1 | 190 | 250 | 1,021 | 2,000 | 4,000 | 3,000 |");
    }

    @Test
    void jsonHasTheLatencyOfBothSides() {
        JsonNode lanes = json().get("cells").get(0).get("lanes");
        JsonNode first = lanes.get(0).get("latency");
        JsonNode second = lanes.get(1).get("latency");
        assertThat(first.get("operations").asLong()).isEqualTo(4000);
        assertThat(first.get("p50Micros").asDouble()).isEqualTo(190.4);
        assertThat(first.get("p99Micros").asDouble()).isEqualTo(1020.6);
        assertThat(second.get("p99Micros").asDouble()).isEqualTo(2000);
    }

    /** A message of 50 us allows 20,000 a second, of which 4,000 are a fifth. */
    @Test
    void tableHasTheFloor() {
        assertThat(report().markdown())
                .contains(
                        "| attributes of a file | 1.00 | 0.00 | 50 | 200 | 20,000 | 4,000 | 20 % | 0 % | 20 % to 20 % |");
        assertThat(report().text()).contains("floor", "20000", "20 %");
    }

    @Test
    void jsonHasTheFloor() {
        JsonNode floor = json().get("cells").get(0).get("floor");
        assertThat(floor.get("middleRate").asDouble()).isEqualTo(20_000);
        assertThat(floor.get("messageMicros").asDouble()).isEqualTo(50);
        assertThat(floor.get("fsyncMicros").asDouble()).isEqualTo(200);
        assertThat(floor.get("reached").get("middle").asDouble()).isEqualTo(0.2);
    }

    private static Measured bare(String name, double rate) {
        return measured(name, rate, new OperationLatency(1, 1, 1));
    }

    private static JsonNode json() {
        return new ObjectMapper().valueToTree(report().fields());
    }

    private static CompareReport report() {
        Measured first = measured("SteadFS", 4000, new OperationLatency(4000, 190.4, 1020.6));
        Measured second = measured("HDFS", 2000, new OperationLatency(3000, 250, 2000));
        return new CompareReport(
                new Side("SteadFS", "SteadFS"),
                new Side("HDFS", "HDFS"),
                new Machine(Map.of("processors", "2")),
                List.of(new Cell(
                        WorkKind.STAT,
                        1,
                        List.of(first, second),
                        Floor.of(first, bare("messages", 20_000), bare("fsyncs", 5000)))),
                List.of(),
                true);
    }

    private static Measured measured(String name, double rate, OperationLatency latency) {
        return new Measured(
                name,
                List.of(rate, rate),
                latency.operations(),
                latency,
                Spent.NOTHING,
                Spent.NOTHING,
                Optional.of(1.0),
                Optional.of(0.0));
    }
}
