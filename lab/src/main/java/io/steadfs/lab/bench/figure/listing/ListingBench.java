package io.steadfs.lab.bench.figure.listing;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.report.Progress;
import io.steadfs.client.SteadFs;
import io.steadfs.lab.bench.figure.ground.EmptyFiles;
import io.steadfs.lab.bench.figure.ground.FigureCluster;
import io.steadfs.lab.bench.figure.ground.Place;
import io.steadfs.lab.bench.pace.Together;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Measures listings with one number of shards, in a new cluster. In a round each directory is listed once. */
final class ListingBench {
    private static final int IO_SERVERS = 1;

    private final ListingPlan plan;
    private final int shards;
    private final FigureCluster cluster;
    private final FileSystem fileSystem;
    private final Together together;
    private final List<EmptyFiles> clients = new ArrayList<>();

    /** Starts a cluster in the place, and starts the clients. The cleanup ends the cluster and the clients. */
    ListingBench(ListingPlan plan, int shards, Place place, Cleanup cleanup) throws IOException {
        this.plan = plan;
        this.shards = shards;
        this.cluster = new FigureCluster(place, shards, IO_SERVERS, plan.settings(), cleanup);
        this.fileSystem = cleanup.add(FileSystem.newInstance(cluster.uri(), new Configuration()));
        this.together = cleanup.add(new Together());
        for (int i = 0; i < plan.clients(); i++) {
            clients.add(new EmptyFiles(cluster.client(Map.of()), i));
        }
    }

    /** Makes all directories, and lists them. Returns one measurement for each. */
    List<Listing> run(Progress progress) throws IOException, InterruptedException {
        List<ListedDirectory> directories = new ArrayList<>();
        for (int entries : plan.entries()) {
            progress.say("making " + entries + " files in a directory");
            directories.add(make(entries));
        }
        cluster.awaitQuiet();
        rehearse(directories);
        List<ListedDirectory> order = new ArrayList<>(directories);
        for (int round = 0; round < plan.rounds(); round++) {
            progress.say("listing, round " + (round + 1) + " of " + plan.rounds());
            for (ListedDirectory directory : order) {
                directory.list();
            }
            Collections.reverse(order);
        }
        return directories.stream().map(each -> each.measured(shards)).toList();
    }

    /** Makes a directory with as many partitions as it would get by splits, and its files. */
    private ListedDirectory make(int entries) throws IOException, InterruptedException {
        FsPath directory = FigureCluster.FOLDER.child("entries-" + entries);
        SteadFs fs = cluster.observer().fs();
        fs.mkdirs(directory, 0755, true, true);
        byte[] hint = Integer.toString(entries).getBytes(StandardCharsets.UTF_8);
        fs.setXattr(directory, DirectoryHints.EXPECTED_FILES, hint, true, false);
        together.seconds(clients, client -> {
            for (int i = client.number(); i < entries; i += clients.size()) {
                client.make(directory);
            }
        });
        int partitions = fs.partitions(directory).size();
        return new ListedDirectory(fileSystem, new Path(directory.toString()), entries, partitions);
    }

    /** Lists directories in turn, until as many entries were listed as the plan says. */
    private void rehearse(List<ListedDirectory> directories) throws IOException {
        long left = plan.rehearsal();
        for (int i = 0; left > 0; i++) {
            ListedDirectory directory = directories.get(i % directories.size());
            directory.list();
            left -= directory.entries();
        }
        directories.forEach(ListedDirectory::forget);
    }
}
