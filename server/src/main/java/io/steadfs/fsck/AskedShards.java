package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckObjectsReply;
import io.steadfs.wire.proto.CheckObjectsRequest;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.MendReply;
import io.steadfs.wire.proto.MendRequest;
import java.util.Optional;

/** Shows what shards have now, and has them make one repair. */
record AskedShards(CheckedServers servers) {
    boolean have(Handle object) throws FsException {
        return object.isOwnedByShard() && object.shard() < servers.shards();
    }

    /** The object as it is now; empty if it is not there, or of no shard. */
    Optional<CheckedObject> find(Handle object) throws FsException {
        if (!have(object)) {
            return Optional.empty();
        }
        CheckObjectsRequest request =
                CheckObjectsRequest.newBuilder().addObjects(object.value()).build();
        return look(object.shard(), request).getObjectsList().stream().findFirst();
    }

    /** The name, or the entry of a map, as it is now; empty if the shard does not have it. */
    Optional<CheckedEntry> entry(int shard, ByteString key) throws FsException {
        CheckObjectsRequest request =
                CheckObjectsRequest.newBuilder().addEntries(key).build();
        return look(shard, request).getEntriesList().stream().findFirst();
    }

    private CheckObjectsReply look(int shard, CheckObjectsRequest request) throws FsException {
        return servers.askShard(shard, Kind.CHECK_OBJECTS, request, CheckObjectsReply.class);
    }

    /** @throws FsException STALE_VERSION if things are not as they were found */
    MendReply mend(int shard, MendRequest request) throws FsException {
        return servers.askShard(shard, Kind.MEND, request, MendReply.class);
    }
}
