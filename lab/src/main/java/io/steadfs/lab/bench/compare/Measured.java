package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.pace.Spent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of all rounds of one lane.
 *
 * @param rates units a second, one rate for each round
 * @param latency how long operations took, in all rounds and threads together
 * @param byServers processor use of all servers of the system together
 * @param byClients processor use of this process, which runs the clients and observes the servers
 * @param messages requests that reached the servers, per operation; empty if the system does not count requests
 * @param fsyncs fsyncs of all servers, per operation; empty if the system does not count fsyncs
 */
record Measured(
        String name,
        List<Double> rates,
        long operations,
        OperationLatency latency,
        Spent byServers,
        Spent byClients,
        Optional<Double> messages,
        Optional<Double> fsyncs) {
    Measured {
        rates = List.copyOf(rates);
    }

    /** The median of the rates. */
    double rate() {
        return Spread.of(rates).middle();
    }

    /** Ratios of this lane's rates to the other lane's rates, round by round. */
    Spread over(Measured other) {
        return Spread.ofRatios(rates, other.rates);
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("lane", name);
        fields.put("rates", rates.stream().map(Measured::rounded).toList());
        fields.put("middleRate", rounded(rate()));
        fields.put("operations", operations);
        fields.put("latency", latency.fields());
        fields.put("serverMicrosPerOperation", rounded(byServers.microsEach(operations)));
        fields.put("clientMicrosPerOperation", rounded(byClients.microsEach(operations)));
        fields.put("serverCompilingPart", rounded(byServers.compilingPart()));
        fields.put("clientCompilingPart", rounded(byClients.compilingPart()));
        fields.put("serverSwitchesPerOperation", rounded(byServers.switchesEach(operations)));
        fields.put("clientSwitchesPerOperation", rounded(byClients.switchesEach(operations)));
        messages.ifPresent(count -> fields.put("messagesPerOperation", rounded(count)));
        fsyncs.ifPresent(count -> fields.put("fsyncsPerOperation", rounded(count)));
        return fields;
    }

    static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
