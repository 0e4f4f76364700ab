package io.steadfs.mds.op;

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
 * Datafiles for the columns of a new file out of the shard's own leases: the delegated create. IO servers take turns; one
 * whose handles are used up is passed over, and where no other one has any left, the column goes without: its first write makes
 * its datafile. So a create waits for no IO server.
 */
final class PooledColumns {
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
     * For the first so many columns of the file.
     *
     * @param sequence of the new file's handle: it turns the beginning on
     */
    static PooledColumns take(NewFile file, int count, Context context, long sequence) throws Refused {
        PooledColumns pooled = new PooledColumns(context);
        List<Integer> servers = LayoutChoice.servers(context.inputs().cluster());
        if (count > 0 && !servers.isEmpty()) {
            Collections.rotate(servers, -(int) (sequence % servers.size()));
            int near = servers.indexOf(file.nearServer() - 1);
            if (near > 0) {
                servers.add(0, servers.remove(near));
            }
            int width = LayoutChoice.width(file, context.inputs().cluster(), servers.size());
            for (int index = 0; index < Math.min(count, width); index++) {
                pooled.takeOne(index, servers);
            }
        }
        return pooled;
    }

    private void takeOne(int index, List<Integer> servers) {
        int round = index / servers.size();
        wanted.merge(servers.get(index % servers.size()), 1, Integer::sum);
        for (int i = 0; i < servers.size(); i++) {
            int server = servers.get((index + i) % servers.size());
            if (taken.getOrDefault(server, 0) <= round) {
                Optional<PooledLease> lease = usable(server);
                if (lease.isPresent()) {
                    take(index, server, lease.get());
                    return;
                }
            }
        }
    }

    private List<PooledLease> pool(int server) {
        return pools.computeIfAbsent(server, each -> new ArrayList<>(PooledLeases.of(context.view(), each)));
    }

    private Optional<PooledLease> usable(int server) {
        return pool(server).stream().filter(lease -> lease.holder() == holder).findFirst();
    }

    private void take(int index, int server, PooledLease lease) {
        List<PooledLease> pool = pool(server);
        int position = pool.indexOf(lease);
        lease.rest().ifPresentOrElse(rest -> pool.set(position, rest), () -> pool.remove(position));
        taken.merge(server, 1, Integer::sum);
        wanted.putIfAbsent(server, 0);
        columns.add(AttachedColumn.newBuilder()
                .setIndex(index)
                .setDatafile(lease.next().value())
                .build());
    }

    List<AttachedColumn> columns() {
        return columns;
    }

    /** That the handles are taken; also tells what was wanted of servers that had none. */
    List<LogRecord> records() {
        List<LogRecord> records = new ArrayList<>();
        wanted.forEach((server, count) -> records.add(new PoolChanged(server, pool(server), count)));
        return records;
    }
}
