package io.steadfs.mds.call;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.StatusReply;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The entrance to a metadata server. Sends each request to the shard that its header names.
 *
 * <pre>
 * header.shard        kind          goes to
 * ------------------  ------------  ----------------------------------------------------
 * 0 (whole server)    STATUS        the status of the whole server
 *                     CLUSTER_MAP   any shard, because all know the same map
 *                     other         the only shard, if there is just one; else INVALID_ARGUMENT
 * n + 1               any           shard n; NOT_OWNER if it is not hosted here
 * </pre>
 */
public final class ShardDoors implements RequestHandler {
    private final String server;
    private final SortedMap<Integer, RequestHandler> doors;
    private final RequestHandler first;
    private final Supplier<StatusReply> status;
    private final LongSupplier epoch;

    /**
     * @param server name of the server, for refusals
     * @param doors the doors of the shards by shard number, at least one
     * @param status the status of the whole server
     */
    public ShardDoors(
            String server, SortedMap<Integer, RequestHandler> doors, Supplier<StatusReply> status, LongSupplier epoch) {
        this.server = server;
        this.doors = Collections.unmodifiableSortedMap(new TreeMap<>(doors));
        this.first = doors.values().iterator().next();
        this.status = status;
        this.epoch = epoch;
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
        } else if (kind == Kind.CLUSTER_MAP || doors.size() == 1) {
            first.handle(call);
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
