package io.steadfs.fsck;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;

/**
 * A shard whose rows a check reads.
 *
 * @param pageRows largest number of rows in one message from the shard
 */
record ScannedShard(CheckedServers servers, int number, int pageRows) {
    /** The name of the shard in findings. */
    String name() {
        return Finding.shard(number);
    }

    /** @throws FsException if the shard refuses or does not answer; the message names the shard */
    <T extends MessageLite> T ask(Kind kind, MessageLite request, Class<T> reply) throws FsException {
        return servers.askShard(number, kind, request, reply);
    }
}
