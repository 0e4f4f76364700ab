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

    /** About how long a step takes where nothing goes wrong. */
    private static final int STEP_MILLIS = 30;

    static Plan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Mix mix = Mix.of(seed);
        int metadataServers = mix.leastMetadataServers() + random.nextInt(4 - mix.leastMetadataServers());
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
                own.add(step(mix, random));
            }
            steps.add(own);
        }
        long spanMillis = spanMillis(mix, clients);
        List<Fault> faults = new ArrayList<>();
        int count = LEAST_FAULTS + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            Fault fault = fault(mix.fault(random), random, metadataServers + ioServers, clients, spanMillis);
            faults.add(
                    mix == Mix.DIRECTORIES && fault.kind() == Fault.Kind.CUT
                            ? fault.between(fault.target() % metadataServers, fault.other() % metadataServers)
                            : fault);
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
     * Every other seed looks up whole paths, with short terms of copies, long ones, or such as last longer than a server
     * is away. Also a short term is longer than a message is late that is always late: else no copy would ever come in
     * time.
     */
    Map<String, String> lookup() {
        List<Long> termMillis = List.of(3 * CrashPoints.LATEST_MILLIS / 2, 2_500L, 20_000L);
        return Map.of(
                "stead.lookup",
                movesDirectories() ? "direct" : "component",
                "stead.mds.copies.term",
                String.valueOf(termMillis.get((int) Long.remainderUnsigned(seed / 4, termMillis.size()))));
    }

    /** Whether directories are spread over several partitions when they are made. */
    boolean spreads() {
        return shards > 1 && Long.remainderUnsigned(seed, 3) == 0;
    }

    /** Whether a shard is added during the run. */
    boolean grows() {
        return Long.remainderUnsigned(seed / 5, 3) == 0;
    }

    /** When a shard is added: often while clients work, and sometimes after they have ended. */
    long growsAtMillis() {
        return Long.remainderUnsigned(seed / 7, spanMillis());
    }

    /** After how many names a directory gives half of them to another shard. */
    Map<String, String> splits() {
        return shards > 1 || grows()
                ? Map.of(
                        "stead.partition.split.entries", drawn(3, 4),
                        "stead.partition.give.names", drawn(7, 5),
                        "stead.partition.split.rate", drawn(5, 3),
                        "stead.partition.merge.quiet", "0")
                : Map.of();
    }

    /** A number from 1 to {@code most}, the same for so many seeds in turn. */
    private String drawn(int seeds, int most) {
        return String.valueOf(1 + Long.remainderUnsigned(seed / seeds, most));
    }

    /** Whether directories of names change, too. */
    boolean movesDirectories() {
        return Mix.of(seed).movesDirectories();
    }

    /** About how long the steps take where nothing goes wrong. */
    long spanMillis() {
        return spanMillis(Mix.of(seed), steps.size());
    }

    private static long spanMillis(Mix mix, int clients) {
        return (OPERATIONS / clients) * (mix.longestPauseMillis() / 2 + STEP_MILLIS);
    }

    private static Step step(Mix mix, SplittableRandom random) {
        Step.IoOperation verb = mix.verb(random);
        int names = verb.isWild() ? Names.WILD_COUNT : mix.names();
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
                random.nextInt(4) == 0 ? 0 : random.nextLong(mix.longestPauseMillis()));
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
            case CLIENT_STOP, CUT, BAD_NETWORK, LATE_COPIES -> 9_000;
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
