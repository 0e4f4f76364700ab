package io.steadfs.it.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Every place where a process may end: before and after each message that it sends, hears, receives or answers, each
 * table that a commit changes, each step with a file. Nobody keeps a list of them: the seams report each place when a
 * process comes by.
 *
 * <p>A seed arms one place in {@value #ONE_IN} for each process, to end it there at one of the first times, the earlier the
 * likelier; or to stop it for a while, where it hears or receives something. So each place has its turn, whichever other places there are, and a seed needs no knowledge of other seeds.
 */
final class CrashPoints {
    private static final int ONE_IN = 128;
    private static final int MOST_CRASHES = 6;
    private static final long LONGEST_STOP_MILLIS = 5_000;

    /** Role of processes that never crash. */
    static final String OBSERVER = "observer";

    /**
     * What happens to a process when it comes by there for the n-th time.
     *
     * @param occurrence from 1
     * @param stopMillis for how long it stands still; 0 if it ends
     */
    record Crash(String process, String point, int occurrence, long stopMillis) {
        @Override
        public String toString() {
            return process + (stopMillis == 0 ? " ends" : " stops for " + stopMillis + " ms") + " at its " + occurrence
                    + ". \"" + point + '"';
        }
    }

    private final Arming arming;
    private final Consumer<SimulatedProcess> kill;
    private final Map<String, Integer> passed = new HashMap<>();
    private final SortedMap<String, Long> coverage = new TreeMap<>();
    private final List<Crash> crashes = new ArrayList<>();
    private boolean active;

    /** Says where to crash, or to stop. */
    interface Arming {
        Optional<Crash> at(String process, String point, int occurrence, int before);

        /** As the seed wills. */
        static Arming of(long seed) {
            return (process, point, occurrence, before) -> {
                long mixed = mix(seed ^ mix(process.hashCode() * 31L + point.hashCode()));
                boolean armed = before < MOST_CRASHES && Long.remainderUnsigned(mixed, ONE_IN) == 0;
                long more = mix(mixed);
                // 1, 2, 3, ... with half, a quarter, an eighth of the armed places.
                if (!armed || occurrence != 1 + Long.numberOfTrailingZeros(more)) {
                    return Optional.empty();
                }
                boolean stops = more < 0 && (point.contains(" hears ") || point.contains(" receives "));
                long stopMillis = stops ? 1 + Long.remainderUnsigned(mix(more), LONGEST_STOP_MILLIS) : 0;
                return Optional.of(new Crash(process, point, occurrence, stopMillis));
            };
        }

        /** Exactly these. */
        static Arming of(List<Crash> crashes) {
            return (process, point, occurrence, before) -> crashes.stream()
                    .filter(crash -> crash.process().equals(process)
                            && crash.point().equals(point)
                            && crash.occurrence() == occurrence)
                    .findFirst();
        }
    }

    /** @param kill ends the process at once, with what its disk may lose */
    CrashPoints(Arming arming, Consumer<SimulatedProcess> kill) {
        this.arming = arming;
        this.kill = kill;
    }

    /** Java's own mixing of 64 bits would do; this is SplitMix64's, Steele et al. 2014. */
    static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    /**
     * A process comes by.
     *
     * @return whether it is alive after that
     */
    boolean pass(SimulatedProcess process, String point) {
        if (process.isDead()) {
            return false;
        }
        if (!active || process.role().equals(OBSERVER)) {
            return true;
        }
        coverage.putIfAbsent(point, 0L);
        int occurrence = passed.merge(process.name() + ' ' + point, 1, Integer::sum);
        arming.at(process.name(), point, occurrence, crashes.size()).ifPresent(crash -> {
            crashes.add(crash);
            if (crash.stopMillis() == 0) {
                coverage.merge(point, 1L, Long::sum);
                kill.accept(process);
            } else {
                process.stop(crash.stopMillis());
            }
        });
        return !process.isDead();
    }

    /** Crashes from now on, or none. */
    void setActive(boolean isActive) {
        active = isActive;
    }

    List<Crash> crashes() {
        return crashes;
    }

    /** Crashes at each place met. */
    SortedMap<String, Long> coverage() {
        return coverage;
    }
}
