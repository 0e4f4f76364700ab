package io.steadfs.mds.op.layout;

import io.steadfs.error.FsError;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pool.PoolChanged;
import io.steadfs.mds.pool.PooledLease;
import io.steadfs.mds.pool.PooledLeases;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.AttachedColumn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes datafiles for the columns of a new file from the shard's own leases. The delegated create protocol uses this
 * class. The IO servers take turns. A server without unused handles is skipped. If no IO server has an unused handle,
 * the column gets no datafile. The first write of a column without a datafile makes the datafile. So a create never
 * waits for an IO server.
 */
public final class PooledColumns {
    private final Context context;
    private final long holder;
    private final Map<Integer, List<PooledLease>> pools = new HashMap<>();
    private final Map<Integer, Integer> wanted = new LinkedHashMap<>();
    private final Map<Integer, Integer> taken = new HashMap<>();
    private final List<AttachedColumn> columns = new ArrayList<>();

    private PooledColumns(Context context) {
        this.context = context;
        this.holder = context.inputs().holder();
    }

    /**
     * Takes datafiles for the first {@code count} columns of the file. Refuses if the client has already chosen
     * datafiles for the file.
     *
     * @param sequence sequence number in the new file's handle; selects the server that comes first
     */
    public static PooledColumns take(NewFile file, int count, Context context, long sequence) throws Refused {
        PooledColumns pooled = new PooledColumns(context);
        List<Integer> servers = LayoutChoice.servers(context.inputs().cluster());
        if (count != 0 && !file.columns().isEmpty()) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "the file has " + file.columns().size() + " datafiles already and is to get more for "
                            + Integer.toUnsignedString(count) + " columns");
        }
        if (count != 0 && !servers.isEmpty()) {
            Collections.rotate(servers, -(int) (sequence % servers.size()));
            int near = servers.indexOf(file.nearServer() - 1);
            if (near > 0) {
                servers.add(0, servers.remove(near));
            }
            int width = LayoutChoice.width(file, context.inputs().cluster(), servers.size());
            int most = Integer.compareUnsigned(count, width) < 0 ? count : width;
            for (int index = 0; index < most; index++) {
                pooled.takeOne(index, servers);
            }
        }
        return pooled;
    }

    private void takeOne(int index, List<Integer> servers) {
        int round = index / servers.size();
        int turn = servers.get(index % servers.size());
        for (int i = 0; i < servers.size(); i++) {
            int server = servers.get((index + i) % servers.size());
            if (taken.getOrDefault(server, 0) <= round) {
                Optional<PooledLease> lease = usable(server);
                if (lease.isPresent()) {
                    take(index, server, lease.get());
                    wanted.merge(server, 1, Integer::sum);
                    if (server != turn) {
                        wanted.merge(turn, 1, Integer::sum);
                    }
                    return;
                }
            }
        }
        wanted.merge(turn, 1, Integer::sum);
    }

    private List<PooledLease> pool(int server) {
        return pools.computeIfAbsent(server, each -> new ArrayList<>(PooledLeases.of(context.view(), each)));
    }

    /**
     * The oldest lease that has an unused handle. A handle that a file already has, because a client used it without a
     * lease, is skipped.
     */
    private Optional<PooledLease> usable(int server) {
        while (true) {
            Optional<PooledLease> lease = pool(server).stream()
                    .filter(each -> each.holder() == holder)
                    .findFirst();
            if (lease.isEmpty()
                    || ListedDatafiles.find(context.view(), lease.get().next()).isEmpty()) {
                return lease;
            }
            takeNext(server, lease.get());
        }
    }

    private void takeNext(int server, PooledLease lease) {
        List<PooledLease> pool = pool(server);
        int position = pool.indexOf(lease);
        lease.rest().ifPresentOrElse(rest -> pool.set(position, rest), () -> pool.remove(position));
        wanted.putIfAbsent(server, 0);
    }

    private void take(int index, int server, PooledLease lease) {
        takeNext(server, lease);
        taken.merge(server, 1, Integer::sum);
        columns.add(AttachedColumn.newBuilder()
                .setIndex(index)
                .setDatafile(lease.next().value())
                .build());
    }

    public List<AttachedColumn> columns() {
        return columns;
    }

    /**
     * Records that remove the taken handles from the pool. For each server, a record also has the number of wanted
     * handles, including handles that the server did not have.
     */
    public List<LogRecord> records() {
        List<LogRecord> records = new ArrayList<>();
        wanted.forEach((server, count) -> records.add(new PoolChanged(server, pool(server), count)));
        return records;
    }
}
