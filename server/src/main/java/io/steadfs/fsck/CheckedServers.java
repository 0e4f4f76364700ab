package io.steadfs.fsck;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import java.util.List;

/** The servers of a cluster, as a check asks them. Each question may safely be repeated, and is repeated while a server is busy. */
public interface CheckedServers {
    /** Waits, so that servers get on with their work. */
    void pause(long millis) throws FsException;

    /** Identity of the file system. */
    String fileSystem() throws FsException;

    /** Asks for the newest map of servers. */
    void refresh() throws FsException;

    int shards() throws FsException;

    /** Ids of all IO servers that the cluster knows, alive or not. */
    List<Integer> ioServers() throws FsException;

    /** @throws FsException naming the shard, if it refuses or does not answer */
    <T extends MessageLite> T askShard(int shard, Kind kind, MessageLite body, Class<T> reply) throws FsException;

    /** @throws FsException naming the server, if it refuses or does not answer */
    <T extends MessageLite> T askIo(int server, Kind kind, MessageLite body, Class<T> reply) throws FsException;
}
