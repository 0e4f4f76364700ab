package io.steadfs.lab.bench.figure;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.counting.Counters;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.lab.bench.figure.ground.FigureCluster;
import io.steadfs.lab.bench.figure.ground.Place;
import io.steadfs.lab.bench.pace.Together;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Measures all series at one point, in a new cluster. The series take turns, round by round. Every second round
 * reverses the order of the series, so that slow changes affect all series alike.
 *
 * <p>In a round, the clients of one series do their work. Only that is timed. Then the clients close and delete their
 * files. The next round begins once the servers have finished all work that deletions leave behind.
 */
final class PointBench {
    private final FigurePlan plan;
    private final int point;
    private final FigureCluster cluster;
    private final Together together;
    private final Connection observer;
    private final List<Lane> lanes = new ArrayList<>();
    private final Set<FsPath> made = new HashSet<>();
    private final long longestExpiryMillis;

    /** The samples of a round, and what the servers counted while its work was timed. */
    private record Round(List<Double> samples, Counters grown) {}

    /** Starts a cluster in the place, and starts the clients. The cleanup ends the cluster and the clients. */
    PointBench(FigurePlan plan, int point, Place place, Cleanup cleanup) throws IOException {
        this.plan = plan;
        this.point = point;
        this.longestExpiryMillis =
                plan.series().stream().mapToLong(Series::expiryMillis).max().orElse(0);
        int shards = plan.figure().shards(point);
        this.cluster = new FigureCluster(place, shards, plan.figure().ioServers(point), plan.serverSettings(), cleanup);
        this.observer = cluster.observer();
        this.together = cleanup.add(new Together());
        CreateOptions options = CreateOptions.DEFAULT.withLayout(plan.figure().columns(point), 0);
        for (Series series : plan.series()) {
            List<FileMaker> clients = new ArrayList<>();
            for (int i = 0; i < plan.clients(point); i++) {
                String prefix = series.name().replaceAll("[^a-z0-9]+", "-") + "-client-" + i + "-file-";
                List<FsPath> directories = directories(series, i);
                FileMaker client = new FileMaker(cluster.client(series.settings()), directories, prefix, options);
                if (series.work() == Work.MOVE) {
                    observer.fs().mkdirs(client.moving(directories.get(0)), 0755, false, true);
                }
                clients.add(client);
            }
            int servers = series.work().isOfIoServers() ? plan.figure().ioServers(point) : shards;
            lanes.add(new Lane(series, clients, servers));
        }
    }

    /**
     * Makes the directories of a client: directories of its own, which all series share, or one directory of the series,
     * which all clients share.
     */
    private List<FsPath> directories(Series series, int client) throws IOException {
        List<FsPath> directories = new ArrayList<>();
        if (plan.figure().sharesDirectory(series.work())) {
            directories.add(FigureCluster.FOLDER.child(series.name().replaceAll("[^a-z0-9]+", "-")));
        } else {
            for (int i = 0; i < plan.figure().directories(plan.files()); i++) {
                directories.add(deep(client).child("client-" + client + "-directory-" + i));
            }
        }
        for (FsPath directory : directories) {
            if (made.add(directory)) {
                observer.fs().mkdirs(directory, 0755, true, true);
                if (plan.works().contains(Work.STAT)) {
                    observer.fs()
                            .create(directory.child(FileMaker.KEPT), CreateOptions.DEFAULT)
                            .close();
                }
            }
        }
        return directories;
    }

    /** The directory in which the directories of a client are. */
    private FsPath deep(int client) {
        FsPath directory = FigureCluster.FOLDER;
        for (int depth = FigurePlan.LEAST_DEPTH; depth < plan.depth(); depth++) {
            directory = directory.child("client-" + client + "-level-" + depth);
        }
        return directory;
    }

    /** Lets each series create at least the given number of files, in rounds that are not timed. */
    void rehearse(int files) throws IOException, InterruptedException {
        int clients = plan.clients(point);
        for (int left = files; left > 0; left -= clients * plan.files()) {
            int each = Math.min(plan.files(), (left + clients - 1) / clients);
            for (Lane lane : lanes) {
                round(lane, each);
            }
        }
    }

    /** Runs the warm-up and all rounds. Returns one measurement for each series. */
    List<Measured> run() throws IOException, InterruptedException {
        for (Lane lane : lanes) {
            for (int left = plan.warmUp(); left > 0; left -= plan.files()) {
                round(lane, Math.min(left, plan.files()));
            }
        }
        for (int round = 0; round < plan.rounds(); round++) {
            List<Lane> order = new ArrayList<>(lanes);
            if (round % 2 == 1) {
                Collections.reverse(order);
            }
            for (Lane lane : order) {
                Round measured = round(lane, plan.files());
                lane.add(measured.samples(), measured.grown());
            }
        }
        return lanes.stream().map(lane -> lane.measured(point)).toList();
    }

    /**
     * Runs one round of a lane. The samples are the latency of each create, or the rate of all work, as the figure needs.
     */
    private Round round(Lane lane, int files) throws IOException, InterruptedException {
        List<FileMaker> clients = lane.clients();
        prepare(lane);
        Counters before = observer.counters();
        double seconds = together.seconds(clients, client -> {
            switch (lane.work()) {
                case CREATE -> client.create(files);
                case STAT -> client.stat(files);
                case MOVE -> client.move(files);
                case WRITE -> client.write(files);
                case SMALL -> client.small(files);
                case TASK -> client.renameTasks(files);
                case KNOWN -> client.renameKnown(files, plan.figure().shards(point));
            }
        });
        Counters grown = observer.counters().since(before);
        List<Double> samples = new ArrayList<>();
        if (plan.figure().isOfLatency()) {
            clients.forEach(client -> samples.addAll(client.micros()));
        } else {
            samples.add(plan.figure().rate((long) files * clients.size(), seconds));
        }
        together.seconds(clients, FileMaker::delete);
        cluster.awaitQuiet();
        return new Round(samples, grown);
    }

    /** Does what must come before the work of a round, and is neither timed nor counted. */
    private void prepare(Lane lane) throws IOException, InterruptedException {
        List<FileMaker> clients = lane.clients();
        if (plan.figure().isOfLookup()) {
            // The copies of shards may have ended while others had their turns. What is measured is how it goes on.
            together.seconds(clients, FileMaker::meet);
        }
        if (lane.work() == Work.WRITE) {
            together.seconds(clients, FileMaker::open);
        }
        if (lane.work() == Work.STAT) {
            // Clients may still keep attributes of the round before. Each round begins without any, after the same
            // pause.
            Thread.sleep(longestExpiryMillis);
        }
    }
}
