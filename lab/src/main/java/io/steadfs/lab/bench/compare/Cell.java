package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.work.WorkKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The results of one work with one number of threads on all systems. The first lane measures SteadFS. The second lane
 * measures the system that SteadFS is compared with. Further lanes are optional and help to judge the first lane.
 *
 * @param floor what the bare messages and fsyncs of the first lane allow; empty if that was not measured
 */
record Cell(WorkKind kind, int threads, List<Measured> lanes, Optional<Floor> floor) {
    Cell {
        lanes = List.copyOf(lanes);
    }

    Measured first() {
        return lanes.get(0);
    }

    Measured second() {
        return lanes.get(1);
    }

    Spread ratio() {
        return first().over(second());
    }

    /** All lanes after the second lane. */
    List<Measured> more() {
        return lanes.subList(2, lanes.size());
    }

    /** One line of text for the user who watches the comparison. */
    String line() {
        Spread ratio = ratio();
        return String.format(
                Locale.ROOT,
                "%s, threads: %d: %.0f and %.0f %s, %.2f (%.2f to %.2f)",
                kind.title,
                threads,
                first().rate(),
                second().rate(),
                kind.unit,
                ratio.middle(),
                ratio.least(),
                ratio.greatest());
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("work", kind.toString());
        fields.put("threads", threads);
        fields.put("unit", kind.unit);
        fields.put("ratio", ratio().fields());
        Targets.of(kind, threads).ifPresent(target -> fields.put("target", target));
        Map<String, Object> others = new LinkedHashMap<>();
        more().forEach(lane -> others.put(lane.name(), first().over(lane).fields()));
        fields.put("ratiosToOthers", others);
        floor.ifPresent(bare -> fields.put("floor", bare.fields()));
        List<Map<String, Object>> measured = new ArrayList<>();
        lanes.forEach(lane -> measured.add(lane.fields()));
        fields.put("lanes", measured);
        return fields;
    }
}
