package io.steadfs.fsck;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Checks the whole file system, stage by stage:
 *
 * <pre>
 *  what is pending at each shard                                       exact: rows that wait in vain
 *  names of each shard       what leads where                          exact: rows, places, directories
 *  maps of each shard        which directories have partitions where   exact: rows
 *  objects of each shard     merged with the names                     exact: index, counts, partitions, maps; suspects
 *  partitions of each shard  names counted                             exact
 *  names that lead to no shard, ways to the root                       suspects
 *  suspected names again                                               decided
 *  datafiles of each IO server  merged with what all shards list       suspects, decided at once
 *  datafiles of no IO server
 *  where that is asked for:
 *  store of each shard and IO server  all rows and files read      exact: what cannot be read
 *  bytes of each IO server      compared with their checksums
 * </pre>
 *
 * <p>If a stage fails because a server does not answer, the result names the failure, and the other stages still run.
 * If a check runs again on the same work, every stage continues where it stopped.
 */
public final class Check {
    /** Default of the time, in milliseconds, after which a lease that has ended but still exists becomes a finding. */
    public static final long OVERDUE_MILLIS = TimeUnit.MINUTES.toMillis(30);

    private final CheckedServers servers;
    private final Work work;
    private final Pace pace;
    private final int pageRows;
    private final boolean scrub;
    private final long overdueMillis;

    /**
     * The result of a check.
     *
     * @param problems maps the name of each unfinished stage to the reason why the stage did not finish
     * @param undecided number of suspected objects about which the check could not decide, because they changed during
     *     every look
     */
    public record Result(Map<String, String> problems, long undecided) {
        public boolean isComplete() {
            return problems.isEmpty() && undecided == 0;
        }
    }

    /**
     * @param pageRows largest number of rows in one message from a server
     * @param scrub whether the check also reads all stores and compares all bytes with their checksums
     */
    public Check(CheckedServers servers, Work work, Pace pace, int pageRows, boolean scrub) {
        this(servers, work, pace, pageRows, scrub, OVERDUE_MILLIS);
    }

    /**
     * @param overdueMillis time after which a lease that has ended but still exists becomes a finding, in milliseconds
     */
    public Check(CheckedServers servers, Work work, Pace pace, int pageRows, boolean scrub, long overdueMillis) {
        this.overdueMillis = overdueMillis;
        this.scrub = scrub;
        this.servers = servers;
        this.work = work;
        this.pace = pace;
        this.pageRows = pageRows;
    }

    /**
     * Runs all stages that have not finished.
     *
     * @throws IOException if servers do not answer the first questions, if the check was cancelled, or if its work
     *     cannot be stored
     */
    public Result run() throws IOException {
        work.begin(servers.fileSystem(), servers.shards());
        Map<String, String> problems = new TreeMap<>();
        pending(problems);
        boolean namesKnown = names(problems);
        if (namesKnown) {
            for (Stage stage : List.of(new StrayNames(servers), new WayUp(), new NameRecheck(servers, pageRows))) {
                run(stage, problems);
            }
        }
        if (servers.ioServers().isEmpty()) {
            problems.put("datafiles", "the cluster has no IO server");
        }
        for (int server : servers.ioServers()) {
            run(new DatafileScan(servers, server, pageRows), problems);
        }
        run(new StrangeServers(servers, pageRows), problems);
        for (int server : servers.ioServers()) {
            run(new LeaseScan(servers, server, overdueMillis), problems);
        }
        if (scrub) {
            for (ScannedShard shard : shards()) {
                run(StoreScan.ofShard(shard), problems);
            }
            for (int server : servers.ioServers()) {
                run(StoreScan.ofIoServer(servers, server), problems);
                run(new ByteScan(servers, server), problems);
            }
        }
        Result result = new Result(problems, namesKnown ? NameRecheck.undecided(work) : 0);
        work.end(result.isComplete());
        return result;
    }

    private void pending(Map<String, String> problems) throws IOException {
        for (ScannedShard shard : shards()) {
            run(new PendingScan(shard), problems);
        }
    }

    /** Scans names and objects. Returns whether the names and objects of all shards are known. */
    private boolean names(Map<String, String> problems) throws IOException {
        Sequences sequences;
        try {
            sequences = Sequences.of(work, servers);
        } catch (FsException e) {
            problems.put("names", String.valueOf(e.getMessage()));
            return false;
        }
        boolean known = true;
        for (Stage stage : scans(sequences)) {
            known &= run(stage, problems);
        }
        for (ScannedShard shard : shards()) {
            run(new PartitionScan(shard, sequences), problems);
            if (!scrub) {
                run(StoreScan.ofXattrs(shard), problems);
            }
        }
        return known;
    }

    /**
     * Returns the scans of names and of objects. All scans of names come before all scans of objects, because every
     * object is made before its name.
     */
    private List<Stage> scans(Sequences sequences) throws FsException {
        List<Stage> stages = new ArrayList<>();
        shards().forEach(shard -> stages.add(new NameScan(shard, sequences, false)));
        shards().forEach(shard -> stages.add(new NameScan(shard, sequences, true)));
        shards().forEach(shard -> stages.add(new ObjectScan(shard, sequences)));
        return stages;
    }

    private List<ScannedShard> shards() throws FsException {
        return IntStream.range(0, servers.shards())
                .mapToObj(number -> new ScannedShard(servers, number, pageRows))
                .toList();
    }

    private boolean run(Stage stage, Map<String, String> problems) throws IOException {
        pace.begin(stage.name());
        try {
            stage.run(work, pace);
            return true;
        } catch (FsException e) {
            if (e.error() == FsError.CANCELLED) {
                throw e;
            }
            problems.put(stage.name(), String.valueOf(e.getMessage()));
            return false;
        }
    }
}
