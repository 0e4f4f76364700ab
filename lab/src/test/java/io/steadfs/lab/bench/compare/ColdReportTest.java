package io.steadfs.lab.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.lab.bench.compare.cold.ColdWork;
import io.steadfs.lab.bench.compare.cold.FirstOperations;
import io.steadfs.lab.bench.machine.Machine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ColdReportTest {
    private static final long MILLI = 1_000_000;

    @Test
    void tableHasRatesOfTheFirstOperationsAndTheirRatio() {
        assertThat(report().markdown())
                .contains(
                        "| fresh | create an empty file | 8 | first 100 | 150 | 100 | 1.50 | 35 % | 1.00 to 2.00 | 2 |",
                        "| fresh | create an empty file | 8 | first 1,000 | 500 | 250 | 2.00 | 0 % | 2.00 to 2.00 | 2 |",
                        "| warm | create an empty file | 8 | first 100 | 1,000 | 500 | 2.00 | 0 % | 2.00 to 2.00 | 1 |");
    }

    @Test
    void tableHasSecondsUntilServersAndClientsAreReady() {
        assertThat(report().markdown())
                .contains(
                        "| fresh | 0.30 | 0.40 |",
                        "| warm | 0.50 | 0.60 |",
                        "| SteadFS | 3.00 | 2.00 to 4.00 | 2 |",
                        "| HDFS | 8.00 | 8.00 to 8.00 | 2 |",
                        "Ratio of the seconds 0.38, error 35 %, 0.25 to 0.50. Below 1 the first one is ready sooner.");
    }

    @Test
    void jsonHasEveryRound() {
        JsonNode report = new ObjectMapper().valueToTree(report().fields());
        JsonNode fresh = report.get("cells").get(0);
        assertThat(fresh.get("servers").asText()).isEqualTo("fresh");
        assertThat(fresh.get("work").asText()).isEqualTo("create");
        assertThat(fresh.get("threads").asInt()).isEqualTo(8);
        assertThat(fresh.get("first100").get("firstRates")).hasToString("[100.0,200.0]");
        assertThat(fresh.get("first100").get("secondRates")).hasToString("[100.0,100.0]");
        assertThat(fresh.get("first1000").get("ratio").get("middle").asDouble()).isEqualTo(2);
        assertThat(fresh.get("firstOpenSeconds")).hasToString("[0.3,0.3]");
        assertThat(report.get("starts").get("firstSeconds")).hasToString("[2.0,4.0]");
        assertThat(report.get("starts").get("ratio").get("middle").asDouble()).isEqualTo(0.375);
    }

    @Test
    void terminalHasTheRatios() {
        assertThat(report().text()).contains("fresh", "first 1,000", "500", "250");
    }

    private static ColdReport report() {
        ColdCell fresh = new ColdCell(
                false,
                ColdWork.CREATE,
                8,
                List.of(first(300, 1000, 2000), first(300, 500, 2000)),
                List.of(first(400, 1000, 4000), first(400, 1000, 4000)));
        ColdCell warm =
                new ColdCell(true, ColdWork.CREATE, 8, List.of(first(500, 100, 900)), List.of(first(600, 200, 1800)));
        return new ColdReport(
                new Side("SteadFS", "SteadFS"),
                new Side("HDFS", "HDFS"),
                new Machine(Map.of("processors", "2")),
                new ColdResults(List.of(fresh, warm), List.of(2.0, 4.0), List.of(8.0, 8.0)));
    }

    private static FirstOperations first(long openMillis, long first100Millis, long first1000Millis) {
        return new FirstOperations(openMillis * MILLI, first100Millis * MILLI, first1000Millis * MILLI);
    }
}
