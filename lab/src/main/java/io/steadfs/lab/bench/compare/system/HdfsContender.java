package io.steadfs.lab.bench.compare.system;

import io.steadfs.cli.connect.Cleanup;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * Runs HDFS as released, with a NameNode and DataNodes. The NameNode has one directory for its edits. Each server runs
 * in a process of its own. Like SteadFS, HDFS syncs the blocks of a file when a client closes the file. An option turns
 * this sync off.
 */
public final class HdfsContender implements Contender {
    private static final String NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";
    private static final String DATA_NODE = "org.apache.hadoop.hdfs.server.datanode.DataNode";
    private static final long READY_SECONDS = 120;
    private static final long READY_POLL_MILLIS = 20;
    private static final long POLL_MILLIS = 100;
    private static final long PATIENCE_MILLIS = 10_000;

    private final Map<String, String> settings;
    private final List<HdfsServer> servers = new ArrayList<>();
    private final ClientOpening client;
    private final DistributedFileSystem fileSystem;
    private final BlockFiles blocks;

    /**
     * The settings that differ from the defaults of HDFS.
     *
     * @param closeSync whether a DataNode syncs the file of a block on close
     * @param prompt whether DataNodes learn every second which blocks to remove; the default of HDFS is every three
     *     seconds; rounds wait for the removals
     * @param delayMillis first wait of a client in milliseconds, if a block is not yet reported when the client closes
     *     the file. Each further wait is twice as long. By default, HDFS waits 400 ms first, and retries five times.
     *     All waits together take at least ten seconds, so that one slow DataNode does not fail the close
     * @param more further settings of servers and client. If a key has several values, the value in {@code more} wins
     */
    public record Options(boolean closeSync, boolean prompt, int delayMillis, Map<String, String> more) {
        /** Options without further settings. */
        public Options(boolean closeSync, boolean prompt, int delayMillis) {
            this(closeSync, prompt, delayMillis, Map.of());
        }

        Map<String, String> settings() {
            Map<String, String> settings = new TreeMap<>();
            settings.put("dfs.replication", "1");
            settings.put("dfs.datanode.synconclose", Boolean.toString(closeSync));
            settings.put("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", Integer.toString(delayMillis));
            settings.put("dfs.client.block.write.locateFollowingBlock.retries", Integer.toString(retries()));
            if (prompt) {
                settings.put("dfs.heartbeat.interval", "1");
                settings.put("dfs.namenode.redundancy.interval.seconds", "1");
            }
            settings.putAll(more);
            return settings;
        }

        private int retries() {
            int retries = 1;
            while (((long) delayMillis << retries) - delayMillis < PATIENCE_MILLIS) {
                retries++;
            }
            return retries;
        }
    }

    /**
     * Starts the servers of HDFS in an empty folder, which is formatted first, or in the folder of an earlier start. The cleanup ends the servers.
     *
     * @param jars folder with the jars of the servers' class path
     * @throws IOException if HDFS does not start; the message gives the reason and the last lines of the server's log
     */
    public HdfsContender(Path jars, Path folder, int dataNodes, Options options, Cleanup cleanup)
            throws IOException, InterruptedException {
        this.settings = new TreeMap<>(options.settings());
        HdfsFolder place = HdfsFolder.make(folder, settings);
        HdfsServer.Start start = new HdfsServer.Start(jars, place);
        if (!place.isFormatted()) {
            start.once("format", NAME_NODE, List.of("-format", "-nonInteractive"));
        }
        servers.add(cleanup.add(start.server("namenode", Map.of(), NAME_NODE)));
        List<Path> folders = new ArrayList<>();
        for (int i = 1; i <= dataNodes; i++) {
            String node = "datanode-" + i;
            folders.add(place.dataNode(node));
            servers.add(cleanup.add(start.server(node, place.ofDataNode(node), DATA_NODE)));
        }
        this.blocks = new BlockFiles(folders);
        this.client = new ClientOpening(place.uri(), settings, Optional.empty());
        this.fileSystem = (DistributedFileSystem) cleanup.add(client.open());
        awaitListening(place.uri());
        awaitReady(dataNodes);
    }

    /** Waits until the NameNode listens. Hadoop's client would only look once a second. */
    private void awaitListening(URI nameNode) throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (System.nanoTime() - until < 0) {
            for (HdfsServer server : servers) {
                server.checkRunning();
            }
            try {
                new Socket(nameNode.getHost(), nameNode.getPort()).close();
                return;
            } catch (ConnectException e) {
                Thread.sleep(READY_POLL_MILLIS);
            }
        }
        throw new IOException("HDFS's NameNode does not listen at " + nameNode + " after " + READY_SECONDS + " s");
    }

    private void awaitReady(int dataNodes) throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        String last = "nothing yet";
        while (System.nanoTime() - until < 0) {
            for (HdfsServer server : servers) {
                server.checkRunning();
            }
            try {
                int live = fileSystem.getDataNodeStats(DatanodeReportType.LIVE).length;
                if (live == dataNodes && !fileSystem.setSafeMode(SafeModeAction.GET)) {
                    return;
                }
                last = live + " of " + dataNodes + " DataNodes, or still in safe mode";
            } catch (IOException e) {
                last = e.getMessage() + "";
            }
            Thread.sleep(READY_POLL_MILLIS);
        }
        throw new IOException("HDFS is not ready after " + READY_SECONDS + " s: " + last);
    }

    @Override
    public String name() {
        return "HDFS";
    }

    @Override
    public FileSystem fileSystem() {
        return fileSystem;
    }

    @Override
    public ClientOpening client() {
        return client;
    }

    @Override
    public SortedMap<String, Long> servers() {
        SortedMap<String, Long> pids = new TreeMap<>();
        servers.forEach(server -> pids.put(server.name(), server.pid()));
        return pids;
    }

    /** Returns an empty map, because HDFS keeps all its data about files in Java's heap. */
    @Override
    public Map<String, Long> cacheBytes() {
        return Map.of();
    }

    @Override
    public Optional<Costs> costs() {
        return Optional.empty();
    }

    /**
     * Waits until DataNodes have removed the files of all deleted blocks. DataNodes learn with their heartbeats which
     * blocks to remove, so the wait takes several heartbeats.
     */
    @Override
    public void awaitQuiet() throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_SECONDS);
        while (System.nanoTime() - until < 0) {
            if (toldOfAll() && blocks.count() <= known()) {
                return;
            }
            Thread.sleep(POLL_MILLIS);
        }
        throw new IOException("HDFS has blocks to remove for more than " + READY_SECONDS + " s");
    }

    private boolean toldOfAll() throws IOException {
        return fileSystem.getClient().getNamenode().getStats()[ClientProtocol.GET_STATS_PENDING_DELETION_BLOCKS_IDX]
                == 0;
    }

    /** The number of blocks that belong to files. Each block has one replica. */
    private long known() throws IOException {
        return Arrays.stream(fileSystem.getDataNodeStats(DatanodeReportType.LIVE))
                .mapToLong(DatanodeInfo::getNumBlocks)
                .sum();
    }

    @Override
    public Map<String, String> settings() {
        return settings;
    }
}
