package io.steadfs.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.lab.torture.Event.Op;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What sorted times and one pass over the graph answer is what looking at every operation answers. */
class FatesTest {
    private static final List<String> NAMES = List.of("/s/a", "/s/b", "/s/c", "/s/d");

    private final Removers removers = new Removers();
    private final Map<String, List<Event>> removersByName = new LinkedHashMap<>();
    private final Map<String, List<Event>> arrivals = new LinkedHashMap<>();
    private final List<Event> creates = new ArrayList<>();
    private long operations;

    private Event did(Op op, long begin, long end, String... arguments) {
        String outcome = end == Event.NEVER ? Event.NONE : "OK";
        return new Event("c.1", ++operations, 0, op, List.of(arguments), begin, end, outcome, List.of());
    }

    private void create(String path, long begin, long end) {
        Event event = did(Op.CREATE, begin, end, path, Long.toString(operations), "new");
        creates.add(event);
        arrivals.computeIfAbsent(path, key -> new ArrayList<>()).add(event);
    }

    private void rename(String from, String to, long begin, long end) {
        Event event = did(Op.RENAME, begin, end, from, to, "OVERWRITE");
        remove(from, event);
        remove(to, event);
        arrivals.computeIfAbsent(to, key -> new ArrayList<>()).add(event);
    }

    private void remove(String path, Event event) {
        removers.add(path, event);
        removersByName.computeIfAbsent(path, key -> new ArrayList<>()).add(event);
    }

    private long doneAfter(String path, long nanos) {
        return removersByName.getOrDefault(path, List.of()).stream()
                .filter(event -> event.ok() && event.beginNanos() > nanos)
                .mapToLong(Event::endNanos)
                .min()
                .orElse(Event.NEVER);
    }

    private List<Event> within(String path, long from, long until) {
        return removersByName.getOrDefault(path, List.of()).stream()
                .filter(event -> event.overNanos() >= from && event.beginNanos() <= until)
                .toList();
    }

    private Fates.Fate fate(Event create) {
        record At(String path, Event arrival) {}
        Set<At> seen = new HashSet<>();
        Deque<At> left = new ArrayDeque<>(List.of(new At(create.argument(0), create)));
        Set<String> ends = new TreeSet<>();
        boolean gone = !create.ok();
        while (!left.isEmpty()) {
            At at = left.remove();
            if (!seen.add(at)) {
                continue;
            }
            long until = doneAfter(at.path(), at.arrival().overNanos());
            if (until == Event.NEVER) {
                ends.add(at.path());
            }
            for (Event remover : within(at.path(), at.arrival().beginNanos(), until)) {
                if (remover.equals(at.arrival())) {
                    continue;
                }
                if (remover.op() == Op.RENAME && remover.argument(0).equals(at.path())) {
                    left.add(new At(remover.argument(1), remover));
                } else {
                    gone = true;
                }
            }
        }
        return new Fates.Fate(ends, gone);
    }

    @RepeatedTest(50)
    void asLookingAtEveryOperation() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            long begin = random.nextInt(1000);
            long end = random.nextInt(12) == 0 ? Event.NEVER : begin + random.nextInt(30);
            String path = NAMES.get(random.nextInt(NAMES.size()));
            switch (random.nextInt(4)) {
                case 0 -> create(path, begin, end);
                case 1 -> remove(path, did(Op.DELETE, begin, end, path, "single"));
                default -> {
                    String to = NAMES.get(random.nextInt(NAMES.size()));
                    if (!to.equals(path)) {
                        rename(path, to, begin, end);
                    }
                }
            }
        }
        Fates fates = new Fates(removers, arrivals);
        for (Event create : creates) {
            assertThat(fates.of(create)).as("seed %s, %s", seed, create).isEqualTo(fate(create));
        }
        for (String name : NAMES) {
            long from = random.nextInt(1000);
            long until = from + random.nextInt(100);
            assertThat(removers.within(name, from, until))
                    .as("seed %s, %s from %s until %s", seed, name, from, until)
                    .containsExactlyInAnyOrderElementsOf(within(name, from, until));
            assertThat(removers.withinOrAbove(name + "/x", from, until))
                    .containsExactlyInAnyOrderElementsOf(within(name, from, until));
        }
    }

    @Test
    void renamesThatOverlapMayHaveMovedItInACircle() {
        create("/s/a", 0, 1);
        rename("/s/a", "/s/b", 10, 30);
        rename("/s/b", "/s/a", 10, 30);
        Fates fates = new Fates(removers, arrivals);
        assertThat(fates.of(creates.get(0)).ends()).containsExactly("/s/a", "/s/b");
    }
}
