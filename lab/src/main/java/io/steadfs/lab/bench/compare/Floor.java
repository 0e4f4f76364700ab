package io.steadfs.lab.bench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the bare messages and fsyncs of a work allow one thread, one after another. The first system cannot be faster as
 * long as it sends so many messages and waits for so many fsyncs, and uses sockets like those of the bare messages.
 *
 * @param messages requests that reached the first system's servers, per operation
 * @param fsyncs fsyncs of the first system's servers, per operation
 * @param trips bare messages there and back a second, for each round
 * @param appends bare fsyncs a second, for each round
 * @param rates operations a second that these allow, for each round
 * @param reached which part of that the first system reached, 1 for all
 */
record Floor(double messages, double fsyncs, Spread trips, Spread appends, List<Double> rates, Spread reached) {
    /** Returns an empty result if the first system does not count its messages and fsyncs, or there were no rounds. */
    static Optional<Floor> of(Measured first, Measured trips, Measured appends) {
        if (first.messages().isEmpty()
                || first.fsyncs().isEmpty()
                || trips.rates().isEmpty()) {
            return Optional.empty();
        }
        double messages = first.messages().get();
        double fsyncs = first.fsyncs().get();
        List<Double> rates = new ArrayList<>();
        for (int round = 0; round < trips.rates().size(); round++) {
            double seconds = messages / trips.rates().get(round)
                    + fsyncs / appends.rates().get(round);
            rates.add(1 / seconds);
        }
        return Optional.of(new Floor(
                messages,
                fsyncs,
                Spread.of(trips.rates()),
                Spread.of(appends.rates()),
                rates,
                Spread.ofRatios(first.rates(), rates)));
    }

    /** The median of the rates. */
    double rate() {
        return Spread.of(rates).middle();
    }

    /** Microseconds of one bare message there and back, the middle one of the rounds. */
    double tripMicros() {
        return 1e6 / trips.middle();
    }

    /** Microseconds of one bare fsync, the middle one of the rounds. */
    double appendMicros() {
        return 1e6 / appends.middle();
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("messagesPerOperation", Measured.rounded(messages));
        fields.put("fsyncsPerOperation", Measured.rounded(fsyncs));
        fields.put("messageMicros", Measured.rounded(tripMicros()));
        fields.put("fsyncMicros", Measured.rounded(appendMicros()));
        fields.put("rates", rates.stream().map(Measured::rounded).toList());
        fields.put("middleRate", Measured.rounded(rate()));
        fields.put("reached", reached.fields());
        return fields;
    }
}
