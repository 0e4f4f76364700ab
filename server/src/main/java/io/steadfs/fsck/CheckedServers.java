package io.steadfs.fsck;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import java.util.List;

/**
 * The servers that a check asks. An implementation repeats a question while the server is busy. A repair whose outcome
 * is unknown is never repeated.
 */
public interface CheckedServers {
    /** Pauses the check, so that servers can proceed with their work. */
    void pause(long millis) throws FsException;

    /** The identity of the file system. */
    String fileSystem() throws FsException;

    /** Gets the newest cluster map. */
    void refresh() throws FsException;

    int shards() throws FsException;

    /** The ids of all IO servers of the cluster, including dead ones. */
    List<Integer> ioServers() throws FsException;

    /**
     * Asks one shard and waits for the reply.
     *
     * @throws FsException if the shard refuses or does not answer; the message names the shard
     */
    <T extends MessageLite> T askShard(int shard, Kind kind, MessageLite body, Class<T> reply) throws FsException;

    /**
     * Asks one IO server and waits for the reply.
     *
     * @throws FsException if the server refuses or does not answer; the message names the server
     */
    <T extends MessageLite> T askIo(int server, Kind kind, MessageLite body, Class<T> reply) throws FsException;
}
