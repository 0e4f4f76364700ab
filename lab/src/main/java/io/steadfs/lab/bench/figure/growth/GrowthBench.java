package io.steadfs.lab.bench.figure.growth;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.client.SteadFs;
import io.steadfs.lab.bench.figure.ground.EmptyFiles;
import io.steadfs.lab.bench.figure.ground.FigureCluster;
import io.steadfs.lab.bench.figure.ground.Place;
import io.steadfs.lab.bench.pace.Together;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures all series with one number of shards, in a new cluster. The series take turns, every second round in the other
 * order. Each turn has new directories, which are removed at its end. The next turn begins when the servers have nothing
 * left of them.
 */
final class GrowthBench {
    private static final int IO_SERVERS = 1;

    private final GrowthPlan plan;
    private final int shards;
    private final FigureCluster cluster;
    private final Together together;
    private final List<EmptyFiles> clients = new ArrayList<>();
    private int turns;

    /** Starts a cluster in the place, and starts the clients. The cleanup ends the cluster and the clients. */
    GrowthBench(GrowthPlan plan, int shards, Place place, Cleanup cleanup) throws IOException {
        this.plan = plan;
        this.shards = shards;
        this.cluster = new FigureCluster(place, shards, IO_SERVERS, plan.serverSettings(), cleanup);
        this.together = cleanup.add(new Together());
        for (int i = 0; i < plan.clientsAt(shards); i++) {
            clients.add(new EmptyFiles(cluster.client(Map.of()), i));
        }
    }

    /** Runs the rehearsal and all rounds. Returns one measurement for each series. */
    List<Growth> run() throws IOException, InterruptedException {
        List<GrowthSeries> order = new ArrayList<>(plan.series());
        for (GrowthSeries series : order) {
            rehearse(series);
        }
        Map<GrowthSeries, List<Turn>> measured = new EnumMap<>(GrowthSeries.class);
        for (int round = 0; round < plan.rounds(); round++) {
            for (GrowthSeries series : order) {
                measured.computeIfAbsent(series, each -> new ArrayList<>()).add(turn(series));
            }
            Collections.reverse(order);
        }
        return measured.entrySet().stream()
                .map(each -> new Growth(each.getKey(), shards, each.getValue()))
                .toList();
    }

    private void rehearse(GrowthSeries series) throws IOException, InterruptedException {
        if (plan.rehearsal() == 0) {
            return;
        }
        List<FsPath> directories = directories(series);
        int files = (plan.rehearsal() - 1) / plan.clients() + 1;
        together.seconds(clients, client -> {
            for (int i = 0; i < files; i++) {
                client.make(directoryOf(client, directories));
            }
        });
        remove(directories);
    }

    private Turn turn(GrowthSeries series) throws IOException, InterruptedException {
        List<FsPath> directories = directories(series);
        ProcessorUse processorUse = new ProcessorUse();
        Clock clock = new Clock(plan.seconds(), processorUse::restart);
        together.seconds(clients, client -> {
            clock.begin();
            while (clock.runs()) {
                client.make(directoryOf(client, directories));
                clock.count();
            }
        });
        double processors = processorUse.average();
        int partitions = 0;
        for (FsPath directory : directories) {
            partitions += cluster.observer().fs().partitions(directory).size();
        }
        remove(directories);
        return new Turn(clock.files(), partitions, processors);
    }

    private static FsPath directoryOf(EmptyFiles client, List<FsPath> directories) {
        return directories.get(client.number() % directories.size());
    }

    /** Makes the new directories of a turn. If there are several, each is on another shard. */
    private List<FsPath> directories(GrowthSeries series) throws IOException {
        SteadFs fs = cluster.observer().fs();
        int number = series == GrowthSeries.SEPARATE ? shards : 1;
        String prefix = "turn-" + turns++ + "-directory-";
        List<FsPath> directories = new ArrayList<>();
        Set<Integer> met = new HashSet<>();
        for (int i = 0; met.size() < number; i++) {
            FsPath directory = FigureCluster.FOLDER.child(prefix + i);
            if (met.add(fs.mkdirs(directory, 0755, true, true).handle().shard())) {
                for (Map.Entry<String, String> hint : series.hints().entrySet()) {
                    fs.setXattr(
                            directory, hint.getKey(), hint.getValue().getBytes(StandardCharsets.UTF_8), true, false);
                }
                directories.add(directory);
            } else {
                fs.delete(directory, false);
            }
        }
        return directories;
    }

    private void remove(List<FsPath> directories) throws IOException, InterruptedException {
        for (FsPath directory : directories) {
            cluster.observer().fs().delete(directory, true);
        }
        cluster.awaitQuiet();
    }
}
