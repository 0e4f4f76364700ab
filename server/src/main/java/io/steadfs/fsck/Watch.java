package io.steadfs.fsck;

import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.WatchObjectsReply;
import io.steadfs.wire.proto.WatchObjectsRequest;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A watch over some objects, at every shard. Each shard notes which of the objects get a name. */
final class Watch {
    private final CheckedServers servers;
    /** Maps each shard to the number of its watch. */
    private final Map<Integer, Long> numbers = new TreeMap<>();

    private Watch(CheckedServers servers) {
        this.servers = servers;
    }

    static Watch begin(CheckedServers servers, Collection<Handle> objects) throws FsException {
        WatchObjectsRequest.Builder request = WatchObjectsRequest.newBuilder();
        objects.forEach(each -> request.addObjects(each.value()));
        Watch watch = new Watch(servers);
        for (int shard = 0; shard < servers.shards(); shard++) {
            watch.numbers.put(shard, watch.ask(shard, request.build()).getWatch());
        }
        return watch;
    }

    /**
     * Whether all shards now note every new name of the objects.
     *
     * @throws FsException NOT_FOUND if a shard has forgotten the watch
     */
    boolean isSettled() throws FsException {
        boolean settled = true;
        for (Map.Entry<Integer, Long> each : numbers.entrySet()) {
            WatchObjectsRequest request =
                    WatchObjectsRequest.newBuilder().setWatch(each.getValue()).build();
            settled &= ask(each.getKey(), request).getSettled();
        }
        return settled;
    }

    /**
     * Ends the watch. Returns the objects that got a name during the watch.
     *
     * @throws FsException NOT_FOUND if a shard has forgotten the watch
     */
    Set<Handle> end() throws FsException {
        Set<Handle> touched = new HashSet<>();
        for (Map.Entry<Integer, Long> each : numbers.entrySet()) {
            WatchObjectsRequest request = WatchObjectsRequest.newBuilder()
                    .setWatch(each.getValue())
                    .setEnd(true)
                    .build();
            ask(each.getKey(), request).getTouchedList().forEach(value -> touched.add(new Handle(value)));
        }
        return touched;
    }

    private WatchObjectsReply ask(int shard, WatchObjectsRequest request) throws FsException {
        return servers.askShard(shard, Kind.WATCH_OBJECTS, request, WatchObjectsReply.class);
    }
}
