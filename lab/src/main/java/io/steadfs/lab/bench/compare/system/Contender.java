package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.hadoop.fs.FileSystem;

/**
 * One of the compared systems. The system's client runs in this process. Each of the system's servers runs in a process
 * of its own.
 */
public interface Contender {
    /** The short name of the system in reports. */
    String name();

    /**
     * The name of the system in headings. If the short name is not clear enough, the title adds the commit or version.
     */
    default String title() {
        return name();
    }

    /** The file system client that all threads share. The threads of a Spark executor also share one client. */
    FileSystem fileSystem();

    /** How another process opens a client like {@link #fileSystem}. */
    ClientOpening client();

    /**
     * The process ids of the system's servers, by name of the server. Processes that only observe or coordinate, such
     * as ZooKeeper, are not included.
     */
    SortedMap<String, Long> servers();

    /** The memory for rows outside of Java's heap, in bytes, by name of the server. */
    Map<String, Long> cacheBytes() throws IOException;

    /** The totals that the servers have counted so far; empty if the servers do not count. */
    Optional<Costs> costs() throws IOException;

    /** Waits until the servers report no unfinished work after deletions. */
    void awaitQuiet() throws IOException, InterruptedException;

    /** The configuration values that differ from the system's defaults. */
    Map<String, String> settings();

    /**
     * Totals of all servers.
     *
     * @param messages requests that arrived at any server
     * @param fsyncs how often a server waited for its disk
     */
    record Costs(long messages, long fsyncs) {
        public Costs since(Costs before) {
            return new Costs(messages - before.messages, fsyncs - before.fsyncs);
        }

        public Costs plus(Costs more) {
            return new Costs(messages + more.messages, fsyncs + more.fsyncs);
        }
    }
}
