package io.steadfs.mds.call;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ClusterMapReply;
import io.steadfs.wire.proto.StatusReply;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The entrance to a metadata server. Sends each request to the shard that its header names.
 *
 * <pre>
 * header.shard        kind          goes to
 * ------------------  ------------  ----------------------------------------------------
 * 0 (whole server)    STATUS        the status of the whole server
 *                     CLUSTER_MAP   the newest map of the server, which may have no shard
 *                     other         the only shard, if there is just one; else INVALID_ARGUMENT
 * n + 1               any           shard n; NOT_OWNER if it is not hosted here
 * </pre>
 */
public final class ShardDoors implements RequestHandler {
    private final String server;
    private final SortedMap<Integer, RequestHandler> doors;
    private final Supplier<StatusReply> status;
    private final Supplier<ClusterMap> map;
    private final LongSupplier epoch;

    /**
     * @param server name of the server, for refusals
     * @param doors the doors of the shards by shard number. They may change, if threads may read them meanwhile
     * @param status the status of the whole server
     * @param map the newest cluster map that the server knows
     */
    public ShardDoors(
            String server,
            SortedMap<Integer, RequestHandler> doors,
            Supplier<StatusReply> status,
            Supplier<ClusterMap> map) {
        this.server = server;
        this.doors = Collections.unmodifiableSortedMap(doors);
        this.status = status;
        this.map = map;
        this.epoch = () -> map.get().getEpoch();
    }

    @Override
    public void handle(Call call) {
        Request request = call.request();
        int shard = request.header().getShard();
        if (shard == 0) {
            whole(call, request.kind());
            return;
        }
        RequestHandler door = doors.get(shard - 1);
        if (door == null) {
            refuse(call, FsError.NOT_OWNER, server + " does not host shard " + (Integer.toUnsignedLong(shard) - 1));
        } else {
            door.handle(call);
        }
    }

    private void whole(Call call, Kind kind) {
        if (kind == Kind.STATUS) {
            call.request().payload().release();
            new Answering(call, epoch).reply(Reply.ok(status.get()));
        } else if (kind == Kind.CLUSTER_MAP) {
            call.request().payload().release();
            new Answering(call, epoch)
                    .reply(Reply.ok(
                            ClusterMapReply.newBuilder().setMap(map.get()).build()));
        } else {
            only(call, kind);
        }
    }

    /** Lets the only shard answer. The doors may change meanwhile. */
    private void only(Call call, Kind kind) {
        List<RequestHandler> present = doors.values().stream().limit(2).toList();
        if (present.size() == 1) {
            present.get(0).handle(call);
        } else {
            refuse(
                    call,
                    FsError.INVALID_ARGUMENT,
                    kind + " names no shard, and " + server + " hosts " + doors.size() + ": " + doors.keySet());
        }
    }

    private void refuse(Call call, FsError error, String message) {
        call.request().payload().release();
        new Answering(call, epoch).refuse(error, message);
    }
}
