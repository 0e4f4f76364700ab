package io.steadfs.it.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Every place where a process may end: before and after each message that it sends, hears, receives or answers, each
 * table that a commit changes, each step with a file. Nobody keeps a list of them: the seams report each place when a
 * process comes by.
 *
 * <p>A seed arms one place in {@value #ONE_IN} for each process, to end it there at one of the first times, the earlier the
 * likelier. Where it hears or receives something it may stop for a while instead, and where it sends or answers something
 * be cut off from everybody, or be late with all such messages from then on. A place that a run comes to late is rare, so one in fewer of such is armed, down to one in
 * {@value #ONE_IN_OF_THE_RAREST}. So each place has its turn, whichever other places there are, and a seed needs no
 * knowledge of other seeds.
 */
final class CrashPoints {
    private static final int ONE_IN = 128;
    private static final int ONE_IN_OF_THE_RAREST = 4;

    /** A place first met after so many times that any process came by any place is rare, after twice as many twice so. */
    private static final long RARE_AFTER = 500;

    private static final int MOST_CRASHES = 8;
    private static final long LONGEST_STOP_MILLIS = 5_000;
    private static final long LONGEST_CUT_MILLIS = 8_000;
    /** The most that a process is always late with what it sends at a place. */
    static final long LATEST_MILLIS = 400;

    /** Role of processes that never crash. */
    static final String OBSERVER = "observer";

    /** What happens to a process at a place. */
    enum How {
        ENDS,
        STOPS,
        /** Nothing that it sends arrives, and nothing reaches it. */
        IS_CUT_OFF,
        /** From then on what it sends there is sent later than it wants. */
        IS_LATE
    }

    /**
     * What happens to a process when it comes by there for the n-th time.
     *
     * @param occurrence from 1
     * @param forMillis until it goes on, or is heard of again, or by which it is late; 0 if it ends
     */
    record Crash(String process, String point, int occurrence, How how, long forMillis) {
        @Override
        public String toString() {
            String what = switch (how) {
                case ENDS -> " ends";
                case STOPS -> " stops for " + forMillis + " ms";
                case IS_CUT_OFF -> " is cut off for " + forMillis + " ms";
                case IS_LATE -> " is late by " + forMillis + " ms";
            };
            return process + what + " at its " + occurrence + ". \"" + point + '"';
        }
    }

    /** What crashes do. */
    interface Effects {
        /** Ends the process at once, with what its disk may lose. */
        void end(SimulatedProcess process);

        void cutOff(SimulatedProcess process, long millis);
    }

    /** Says where to crash, or to stop. */
    interface Arming {
        /**
         * Asked once in a run for a process, which may have several lives, and a place.
         *
         * @param metAfter how often any process had come by any place before one came by this
         */
        Optional<Crash> of(String process, String point, long metAfter);

        /** Whether there may be one more crash, this one, after so many. */
        default boolean permits(Crash crash, int before) {
            return true;
        }

        /** As the seed wills. */
        static Arming of(long seed) {
            return new Arming() {
                @Override
                public Optional<Crash> of(String process, String point, long metAfter) {
                    return ofSeed(seed, process, point, metAfter);
                }

                @Override
                public boolean permits(Crash crash, int before) {
                    return before < MOST_CRASHES;
                }
            };
        }

        /** Exactly these. */
        static Arming of(List<Crash> crashes) {
            return (process, point, metAfter) -> crashes.stream()
                    .filter(crash ->
                            crash.process().equals(process) && crash.point().equals(point))
                    .findFirst();
        }

        /** And this one, whatever else there is. */
        default Arming and(Crash extra) {
            Arming others = this;
            return new Arming() {
                @Override
                public Optional<Crash> of(String process, String point, long metAfter) {
                    return extra.process().equals(process) && extra.point().equals(point)
                            ? Optional.of(extra)
                            : others.of(process, point, metAfter);
                }

                @Override
                public boolean permits(Crash crash, int before) {
                    return crash.equals(extra) || others.permits(crash, before);
                }
            };
        }
    }

    private static Optional<Crash> ofSeed(long seed, String process, String point, long metAfter) {
        long mixed = mix(seed ^ mix(process.hashCode() * 31L + point.hashCode()));
        long oneIn = Math.max(ONE_IN_OF_THE_RAREST, ONE_IN * RARE_AFTER / Math.max(RARE_AFTER, metAfter));
        if (Long.remainderUnsigned(mixed, oneIn) != 0) {
            return Optional.empty();
        }
        long more = mix(mixed);
        // 1, 2, 3, ... with half, a quarter, an eighth of the armed places.
        int occurrence = 1 + Long.numberOfTrailingZeros(more);
        int share = (int) (more >>> 61);
        long length = mix(more);
        if (share < 4 && (point.contains(" hears ") || point.contains(" receives "))) {
            long millis = 1 + Long.remainderUnsigned(length, LONGEST_STOP_MILLIS);
            return Optional.of(new Crash(process, point, occurrence, How.STOPS, millis));
        }
        if (share < 2 && (point.contains(" sends ") || point.contains(" answers "))) {
            long millis = 1 + Long.remainderUnsigned(length, LONGEST_CUT_MILLIS);
            return Optional.of(new Crash(process, point, occurrence, How.IS_CUT_OFF, millis));
        }
        if (share < 4 && point.contains(" sends ") && point.endsWith(" before")) {
            long millis = 1 + Long.remainderUnsigned(length, LATEST_MILLIS);
            return Optional.of(new Crash(process, point, occurrence, How.IS_LATE, millis));
        }
        return Optional.of(new Crash(process, point, occurrence, How.ENDS, 0));
    }

    /**
     * What is known of a place after a run.
     *
     * @param process that came by first
     * @param ended how many processes did there
     */
    record Met(String process, long ended) {}

    private static final class Place {
        private final String firstProcess;
        private final long metAfter;
        private long ended;

        Place(String firstProcess, long metAfter) {
            this.firstProcess = firstProcess;
            this.metAfter = metAfter;
        }
    }

    /** A process, all lives of it, and a place. */
    private static final class Turn {
        private final Place place;
        private final Optional<Crash> armed;
        private final int due;
        private int passed;

        Turn(Place place, Optional<Crash> armed) {
            this.place = place;
            this.armed = armed;
            this.due = armed.map(Crash::occurrence).orElse(0);
        }
    }

    private final Arming arming;
    private final Effects effects;
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, Map<String, Turn>> turns = new HashMap<>();
    private final List<Crash> crashes = new ArrayList<>();
    private final Map<String, Long> late = new HashMap<>();
    private long passes;
    private boolean active;

    CrashPoints(Arming arming, Effects effects) {
        this.arming = arming;
        this.effects = effects;
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
        passes++;
        Map<String, Turn> own = turns.computeIfAbsent(process.name(), name -> new HashMap<>());
        Turn turn = own.get(point);
        if (turn == null) {
            Place place = places.computeIfAbsent(point, unused -> new Place(process.name(), passes));
            turn = new Turn(place, arming.of(process.name(), point, place.metAfter));
            own.put(point, turn);
        }
        if (++turn.passed == turn.due) {
            Crash crash = turn.armed.orElseThrow();
            if (arming.permits(crash, crashes.size())) {
                crash(process, crash, turn.place);
            }
        }
        return !process.isDead();
    }

    private void crash(SimulatedProcess process, Crash crash, Place place) {
        crashes.add(crash);
        switch (crash.how()) {
            case ENDS -> {
                place.ended++;
                effects.end(process);
            }
            case STOPS -> process.stop(crash.forMillis());
            case IS_CUT_OFF -> effects.cutOff(process, crash.forMillis());
            case IS_LATE -> late.put(crash.process() + crash.point(), crash.forMillis());
        }
    }

    /** How late the process is with what it sends there. */
    long lateMillis(SimulatedProcess process, String point) {
        return active && !late.isEmpty() ? late.getOrDefault(process.name() + point, 0L) : 0;
    }

    /** Crashes from now on, or none. */
    void setActive(boolean isActive) {
        active = isActive;
    }

    List<Crash> crashes() {
        return crashes;
    }

    /** Each place that a process came by. */
    SortedMap<String, Met> coverage() {
        SortedMap<String, Met> coverage = new TreeMap<>();
        places.forEach((point, place) -> coverage.put(point, new Met(place.firstProcess, place.ended)));
        return coverage;
    }
}
