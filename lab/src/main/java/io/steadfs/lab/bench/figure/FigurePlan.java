package io.steadfs.lab.bench.figure;

import io.steadfs.cli.protocol.Protocol;
import io.steadfs.lab.bench.figure.ground.Bounds;
import io.steadfs.lab.bench.figure.ground.SlowCommits;
import io.steadfs.lab.bench.word.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an experiment measures at each place of the servers' data.
 *
 * @param works what clients do; creates have a series for each protocol
 * @param lookups how clients look up paths; each series is there for each
 * @param points points of the figure from left to right, each point once
 * @param clients number of clients; 0 = as usual
 * @param depth number of names in the path of a directory in which files are
 * @param rounds number of rounds; each series takes one turn in a round
 * @param files number of files that each client creates in a round
 * @param warmUp number of files that each client creates at each point before the measurement begins
 * @param rehearsal number of files of each series at the first point, before the warm-up; gives Java time to compile
 * @param commits in experiments on lookups reads of a shard take as much longer as commits, and a lane of an IO server
 *     commits no more requests together than a shard
 * @param settings more configuration values of the servers, by key
 */
record FigurePlan(
        Figure figure,
        List<Protocol> protocols,
        List<Work> works,
        List<Lookup> lookups,
        List<Integer> points,
        int clients,
        int depth,
        int rounds,
        int files,
        int warmUp,
        int rehearsal,
        SlowCommits commits,
        Map<String, String> settings) {
    /** Names in the path of a directory below the folder of the measurement. */
    static final int LEAST_DEPTH = 2;

    /** Of the attribute cache of a client, in most measurements of the h-flat paper. */
    private static final int ITEM_EXPIRY_MILLIS = 1000;

    /** Depth of directories that are below the one that all shards have copies of. */
    private static final int DEEPEST_KNOWN = LEAST_DEPTH + 2;

    private static final int MOST_CLIENTS = 1_000;
    private static final int MOST_DEPTH = 100;

    FigurePlan {
        protocols = List.copyOf(protocols);
        works = List.copyOf(works);
        lookups = List.copyOf(lookups);
        points = Bounds.points(points);
        settings = Map.copyOf(settings);
        Bounds.atLeast(0, clients, "--clients");
        Bounds.atLeast(LEAST_DEPTH, depth, "--depth");
        Bounds.atMost(MOST_CLIENTS, clients, "--clients");
        Bounds.atMost(MOST_DEPTH, depth, "--depth");
        if (figure.isFree() && !Work.FREE.containsAll(works)) {
            throw new IllegalArgumentException("--works: --figure " + figure.id + " has only "
                    + Work.FREE.stream().map(Words::of).collect(Collectors.joining(", ")));
        }
        if (works.contains(Work.MOVE) && files < 2) {
            throw new IllegalArgumentException("--files " + files + ": a move needs 2 directories of a client");
        }
        Bounds.atLeast(1, rounds, "--rounds");
        Bounds.atLeast(1, files, "--files");
        Bounds.atLeast(0, warmUp, "--warm-up");
        Bounds.atLeast(0, rehearsal, "--rehearsal");
    }

    /**
     * The series that take turns: one for each protocol and lookup, and one of each other work for each lookup. A
     * protocol that takes leased handles has a second series with the leases of the paper.
     */
    List<Series> series() {
        if (figure == Figure.FOR_EACH_SERVER) {
            // Shards resolve the paths of creates, so that attributes which a client keeps change stats only.
            return works.stream()
                    .flatMap(work -> work == Work.STAT
                            ? Stream.of(Series.of(work), Series.of(work).withExpiry(ITEM_EXPIRY_MILLIS))
                            : Stream.of(Series.of(work)))
                    .toList();
        }
        List<Series> all = new ArrayList<>();
        if (works.contains(Work.CREATE)) {
            for (Protocol protocol : protocols) {
                lookups.forEach(lookup -> all.add(Series.usual(protocol).with(lookup)));
                if (protocol.takesLeasedHandles() && !figure.isOfLookup()) {
                    lookups.forEach(lookup -> all.add(Series.ofPaper(protocol).with(lookup)));
                }
            }
        }
        works.stream()
                .filter(work -> work != Work.CREATE)
                .forEach(work ->
                        lookups.forEach(lookup -> all.add(Series.of(work).with(lookup))));
        return all;
    }

    int clients(int point) {
        return clients == 0 ? figure.clients(point) : clients;
    }

    /** Configuration values of the servers that differ from the defaults. */
    Map<String, String> serverSettings() {
        Map<String, String> all = new HashMap<>(commits.settings());
        if (commits.delayMillis() > 0 && figure.isOfLookup()) {
            // Stats commit nothing. A read takes its shard for as long as a commit does.
            all.put("stead.mds.read.delay", commits.delayMicros());
        }
        if (commits.batchRequests() > 0 && figure.isOfLookup()) {
            all.put("stead.io.batch.requests", Integer.toString(commits.batchRequests()));
            all.put("stead.io.lanes", "1");
        }
        if (figure == Figure.RENAMES) {
            all.put("stead.mkdir.spread.depth", Integer.toString(DEEPEST_KNOWN));
        }
        if (depth > LEAST_DEPTH) {
            // All directories are dealt out over the shards by their names, at whatever depth they are.
            all.put("stead.mkdir.spread.depth", Integer.toString(depth));
        }
        all.putAll(settings);
        return all;
    }
}
