package io.steadfs.it.simulation;

import io.steadfs.client.RenameMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * All that happens in a run but for chance on the network and in timing, which is the seed's: who does what, and what
 * goes wrong.
 *
 * @param protocol one of {@link #PROTOCOLS}
 * @param patienceMillis after which a client's operation fails without an answer
 * @param steps of each client
 */
record Plan(
        long seed,
        int metadataServers,
        int shards,
        int ioServers,
        String protocol,
        long patienceMillis,
        List<List<Step>> steps,
        List<Fault> faults) {
    static final int OPERATIONS = 210;

    /** Unified with all datafiles at once. */
    static final String EAGER = "eager";

    static final List<String> PROTOCOLS =
            List.of("basecase", "compound", "leased", "precreated", "unified", EAGER, "delegated", "lazy");
    private static final int LEAST_FAULTS = 6;
    private static final long LONGEST_PAUSE_MILLIS = 120;
    private static final long LONGEST_PAUSE_OF_RUSH_MILLIS = 8;

    static Plan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int metadataServers = 1 + random.nextInt(3);
        int shards = metadataServers + random.nextInt(2);
        int ioServers = 2 + random.nextInt(2);
        int clients = 2 + random.nextInt(3);
        String protocol = PROTOCOLS.get(random.nextInt(PROTOCOLS.size()));
        // Some give up while a server is down, others wait until it is back.
        long patienceMillis = random.nextBoolean() ? 3_000 : 20_000;
        List<List<Step>> steps = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            List<Step> own = new ArrayList<>();
            for (int i = 0; i * clients < OPERATIONS; i++) {
                own.add(rushes(seed) ? rushed(random) : step(random, movesDirectories(seed)));
            }
            steps.add(own);
        }
        long spanMillis = spanMillis(seed, clients);
        List<Fault> faults = new ArrayList<>();
        int count = LEAST_FAULTS + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            Fault.Kind kind = rushes(seed) && random.nextBoolean()
                    ? Fault.Kind.BAD_NETWORK
                    : Fault.Kind.BY_CHANCE.get(random.nextInt(Fault.Kind.BY_CHANCE.size()));
            faults.add(fault(kind, random, metadataServers + ioServers, clients, spanMillis));
        }
        return new Plan(seed, metadataServers, shards, ioServers, protocol, patienceMillis, steps, faults);
    }

    /** The same by another protocol, with such faults besides. */
    Plan with(String otherProtocol, List<Fault> more) {
        List<Fault> all = new ArrayList<>(faults);
        all.addAll(more);
        return new Plan(
                seed, metadataServers, shards, ioServers, otherProtocol, patienceMillis, steps, List.copyOf(all));
    }

    /**
     * Every other seed looks up whole paths, with short terms of copies or long ones. Also a short term is longer than a
     * message is late that is always late: else no copy would ever come in time.
     */
    Map<String, String> lookup() {
        return Map.of(
                "stead.lookup",
                movesDirectories() ? "direct" : "component",
                "stead.mds.copies.term",
                Long.toString(seed % 8 < 4 ? 3 * CrashPoints.LATEST_MILLIS / 2 : 2500));
    }

    /**
     * Whether directories move away and back, are closed and removed meanwhile. With a walk from shard to shard, two directories of a path are
     * looked up at two moments; so what is below a moved directory has no order then.
     */
    boolean movesDirectories() {
        return movesDirectories(seed);
    }

    private static boolean movesDirectories(long seed) {
        return seed % 2 != 0;
    }

    /** Whether clients do nothing but change directories and use names below them, with hardly a pause. */
    private static boolean rushes(long seed) {
        return seed % 4 == 3;
    }

    private static long longestPauseMillis(long seed) {
        return rushes(seed) ? LONGEST_PAUSE_OF_RUSH_MILLIS : LONGEST_PAUSE_MILLIS;
    }

    /** About how long the steps take where nothing goes wrong. */
    long spanMillis() {
        return spanMillis(seed, steps.size());
    }

    private static long spanMillis(long seed, int clients) {
        return (OPERATIONS / clients) * (longestPauseMillis(seed) / 2 + 10);
    }

    private static Step rushed(SplittableRandom random) {
        Step.IoOperation verb = switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 -> Step.IoOperation.AWAY;
            case 5, 6 -> Step.IoOperation.CLOSE;
            case 7, 8, 9, 10, 11 -> Step.IoOperation.STAT;
            case 12, 13, 14 -> Step.IoOperation.CREATE;
            case 15, 16, 17 -> Step.IoOperation.RENAME;
            case 18 -> Step.IoOperation.MKDIR;
            default -> Step.IoOperation.DELETE;
        };
        return step(verb, random, LONGEST_PAUSE_OF_RUSH_MILLIS);
    }

    private static Step step(SplittableRandom random, boolean movesDirectories) {
        Step.IoOperation verb = switch (random.nextInt(54)) {
            case 0, 1 -> Step.IoOperation.MKDIR;
            case 2, 3, 4, 5, 6 -> Step.IoOperation.CREATE;
            case 7, 8, 9 -> Step.IoOperation.REPLACE;
            case 10, 11, 12, 13, 14 -> Step.IoOperation.APPEND;
            case 15, 16 -> Step.IoOperation.RECOVER;
            case 17, 36 -> Step.IoOperation.TAKE;
            case 18, 19, 20 -> Step.IoOperation.DELETE;
            case 21, 22, 23, 24, 25, 26 -> Step.IoOperation.RENAME;
            case 27, 28, 29 -> Step.IoOperation.STAT;
            case 30, 31 -> Step.IoOperation.READ;
            case 47, 48, 49, 50, 51 -> movesDirectories ? Step.IoOperation.AWAY : Step.IoOperation.RENAME;
            case 52, 53 -> movesDirectories ? Step.IoOperation.CLOSE : Step.IoOperation.RENAME;
            case 32 -> Step.IoOperation.WILD_MAKE;
            case 33 -> Step.IoOperation.WILD_MOVE;
            case 34 -> Step.IoOperation.WILD_DELETE;
            case 35 -> random.nextBoolean() ? Step.IoOperation.WILD_LIST : Step.IoOperation.WILD_SUM;
            case 43, 44, 45 -> Step.IoOperation.LIST;
            case 37, 38 -> Step.IoOperation.WILD_CREATE;
            case 39 -> Step.IoOperation.WILD_APPEND;
            case 40 -> Step.IoOperation.WILD_CUT;
            case 41 -> Step.IoOperation.WILD_READ;
            case 42 -> Step.IoOperation.WILD_MODE;
            default ->
                switch (random.nextInt(5)) {
                    case 0 -> Step.IoOperation.WILD_SET_XATTR;
                    case 1 -> Step.IoOperation.WILD_LINK;
                    case 2 -> Step.IoOperation.WILD_GET_XATTRS;
                    case 3 -> Step.IoOperation.WILD_REMOVE_XATTR;
                    default -> Step.IoOperation.LEAVE;
                };
        };
        return step(verb, random, LONGEST_PAUSE_MILLIS);
    }

    private static Step step(Step.IoOperation verb, SplittableRandom random, long longestPauseMillis) {
        int names = verb.isWild() ? Names.WILD_COUNT : Names.COUNT;
        int name = random.nextInt(names);
        int other = (name + 1 + random.nextInt(names - 1)) % names;
        int bytes = bytes(random);
        boolean changesDirectory = verb == Step.IoOperation.AWAY || verb == Step.IoOperation.CLOSE;
        return new Step(
                changesDirectory && Names.comesAndGoes(name) ? Step.IoOperation.REMOVE : verb,
                name,
                other,
                random.nextBoolean() ? RenameMode.NO_REPLACE : RenameMode.OVERWRITE,
                bytes,
                random.nextInt(3) == 0,
                random.nextInt(3) == 0 ? 2 + random.nextInt(3) : 1,
                // Some at once, so that they meet what the last one set off.
                random.nextInt(4) == 0 ? 0 : random.nextLong(longestPauseMillis));
    }

    /** Mostly few; sometimes more than a server keeps in its store, more than a strip, or none. */
    private static int bytes(SplittableRandom random) {
        return switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> 0;
            case 4, 5 -> 4096 + random.nextInt(10_000);
            case 6 -> 60_000 + random.nextInt(100_000);
            default -> 1 + random.nextInt(300);
        };
    }

    private static Fault fault(Fault.Kind kind, SplittableRandom random, int servers, int clients, long spanMillis) {
        int target = switch (kind) {
            case CLIENT_CRASH, CLIENT_STOP -> random.nextInt(clients);
            default -> random.nextInt(servers);
        };
        long longest = switch (kind) {
            case CLIENT_STOP, CUT, BAD_NETWORK -> 9_000;
            case SERVER_STOP -> 8_000;
            case CLOCK_JUMP -> 1_000_000_000;
            default -> 3_000;
        };
        return new Fault(
                kind,
                target,
                random.nextInt(servers + clients),
                random.nextLong(spanMillis),
                1 + random.nextLong(longest));
    }
}
