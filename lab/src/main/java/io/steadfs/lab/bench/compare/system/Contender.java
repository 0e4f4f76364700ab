package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.hadoop.fs.FileSystem;

/** One of those that are compared. Its client is in this process, each of its servers in another one. */
public interface Contender {
    /** As reports call it. */
    String name();

    /** As headings call it: with its commit or version, if its name does not tell enough. */
    default String title() {
        return name();
    }

    /** What all threads share, as the threads of a Spark executor do. */
    FileSystem fileSystem();

    /** Process ids of its servers by name. What only observes, or says who is there, is not among them. */
    SortedMap<String, Long> servers();

    /** Memory of a server for rows that is not in Java's heap, in bytes by server. */
    Map<String, Long> cacheBytes() throws IOException;

    /** What the servers counted so far; empty where they do not count. */
    Optional<Costs> costs() throws IOException;

    /** Waits until what deletions leave behind is done, as far as the servers tell. */
    void awaitQuiet() throws IOException, InterruptedException;

    /** How it is configured where that is not as it comes. */
    Map<String, String> settings();

    /**
     * What servers counted.
     *
     * @param messages requests that arrived at any server
     * @param fsyncs times that a server waited for its disk
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
