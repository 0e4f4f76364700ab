package io.steadfs.it.listing;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.partition.NameHash;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When each name of a directory was there, and so what a listing must have and what it must not have. No name comes
 * back. For several threads.
 */
final class Lives {
    private static final long NEVER = Long.MAX_VALUE;

    private final Map<String, Life> lives = new ConcurrentHashMap<>();

    /** Times in nanoseconds: when its making was asked for and answered, and when its end was. */
    private record Life(long asked, long made, long leaving, long gone) {}

    /** A name is asked for from now on. Call {@link #made} when that was answered. */
    void making(String name) {
        Life before = lives.putIfAbsent(name, new Life(System.nanoTime(), NEVER, NEVER, NEVER));
        if (before != null) {
            throw new IllegalStateException(name + " comes back");
        }
    }

    void made(String name) {
        lives.computeIfPresent(
                name, (key, life) -> new Life(life.asked(), System.nanoTime(), life.leaving(), life.gone()));
    }

    /** From now on the name may go at any time. Call {@link #gone} when its end was answered. */
    void leaving(String name) {
        lives.computeIfPresent(
                name, (key, life) -> new Life(life.asked(), life.made(), System.nanoTime(), life.gone()));
    }

    void gone(String name) {
        lives.computeIfPresent(
                name, (key, life) -> new Life(life.asked(), life.made(), life.leaving(), System.nanoTime()));
    }

    /** Names that are there. No other thread may change any. */
    Set<String> present() {
        Set<String> present = new TreeSet<>();
        lives.forEach((name, life) -> {
            if (life.gone() == NEVER) {
                present.add(name);
            }
        });
        return present;
    }

    /**
     * Requires that a listing has each name once that was there throughout, and no other name twice, and none that was
     * not there at any moment of it.
     *
     * @param names in the order of the listing
     * @param beganNanos before the listing's first request
     * @param endedNanos after its last answer
     * @return how many names were there throughout
     */
    int require(String what, List<String> names, long beganNanos, long endedNanos) {
        Set<String> seen = new HashSet<>();
        for (String each : names) {
            assertThat(seen.add(each))
                    .as("%s: %s is listed once", what, of(each))
                    .isTrue();
            Life life = lives.get(each);
            assertThat(life != null && life.asked() < endedNanos && life.gone() > beganNanos)
                    .as("%s: %s is listed, and was there between %d and %d", what, of(each), beganNanos, endedNanos)
                    .isTrue();
        }
        int throughout = 0;
        for (Map.Entry<String, Life> each : lives.entrySet()) {
            Life life = each.getValue();
            if (life.made() < beganNanos && life.leaving() > endedNanos) {
                assertThat(seen.contains(each.getKey()))
                        .as(
                                "%s: %s was there from %d to %d, and is listed",
                                what, of(each.getKey()), beganNanos, endedNanos)
                        .isTrue();
                throughout++;
            }
        }
        return throughout;
    }

    private String of(String name) {
        return name + " (hash " + Long.toHexString(NameHash.of(name)) + ", " + lives.get(name) + ")";
    }
}
