package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.IntentStatusReply;
import io.steadfs.wire.proto.IntentStatusRequest;
import io.steadfs.wire.proto.PendingRow;
import io.steadfs.wire.proto.ScanPendingReply;
import io.steadfs.wire.proto.ScanPendingRequest;
import io.steadfs.wire.proto.ScanPendingRequest.Queue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks for work that a shard can never finish, however long it tries: the server that it waits for is not in the cluster, or does not know
 * the work. Everything else that is pending is tried again until it is done, so it is no finding, however old it is.
 *
 * <p>The other server is asked after the row was read. An operation is durable at its coordinator before any shard holds anything for it.
 * So a coordinator that does not know the operation then will never decide it.
 */
record PendingScan(ScannedShard shard) implements Stage {
    private static final List<Queue> QUEUES = List.of(Queue.DELETIONS, Queue.NOTICES, Queue.INTENTS);

    /** The number of rows whose keys differ in the last byte alone. */
    private static final int SIBLINGS = 256;

    @Override
    public String name() {
        return "what is pending at shard " + shard.number();
    }

    @Override
    public void run(Work work, Pace pace) throws IOException {
        for (Queue queue : QUEUES) {
            run(queue, work, pace);
        }
    }

    private void run(Queue queue, Work work, Pace pace) throws IOException {
        PagedScan.run(name() + ": " + queue, work, pace, (key, batch) -> {
            ScanPendingReply page = shard.ask(
                    Kind.SCAN_PENDING,
                    ScanPendingRequest.newBuilder()
                            .setQueue(queue)
                            .setAfter(key)
                            .setLimit(shard.pageRows())
                            .build(),
                    ScanPendingReply.class);
            look(queue, page.getRowsList()).forEach(batch::found);
            page.getUnreadableList().forEach(rows -> batch.found(Unread.rows(shard.name(), rows)));
            return new PagedScan.Looked(page.getMore(), page.getLast(), page.getRowsCount(), 0);
        });
    }

    private List<Finding> look(Queue queue, List<PendingRow> rows) throws FsException {
        List<Finding> findings = findings(queue, rows);
        if (!findings.isEmpty()) {
            // A server that joined meanwhile does exist.
            shard.servers().refresh();
            findings = findings(queue, rows);
        }
        return findings;
    }

    private List<Finding> findings(Queue queue, List<PendingRow> rows) throws FsException {
        List<Finding> findings = new ArrayList<>();
        List<Integer> ioServers = shard.servers().ioServers();
        int shards = shard.servers().shards();
        for (PendingRow row : rows) {
            Optional<String> stranger = row.getShardsList().stream()
                    .filter(each -> each < 0 || each >= shards)
                    .findFirst()
                    .map(each -> "shard " + each + ", which is none of " + shards);
            Handle object = new Handle(row.getObject());
            if (queue == Queue.DELETIONS) {
                if (!ioServers.contains(object.owner())) {
                    findings.add(found(
                            FindingKind.STUCK_DELETION,
                            queue,
                            row,
                            "to be removed at IO server " + object.owner() + ", which the cluster does not have"));
                }
            } else if (row.getHeld()) {
                stuck(row).ifPresent(why -> findings.add(found(FindingKind.STALE_INTENT, queue, row, why)));
            } else if (stranger.isPresent()) {
                String what = queue == Queue.NOTICES
                        ? "what became of " + object + " is to be told to "
                        : "operation " + row.getIntent() + " waits for ";
                findings.add(found(FindingKind.STALE_INTENT, queue, row, what + stranger.get()));
            }
        }
        return findings;
    }

    private Finding found(FindingKind kind, Queue queue, PendingRow row, String what) {
        return new Finding(
                        kind,
                        shard.name(),
                        new Handle(row.getObject()),
                        new Handle(row.getMetafile()),
                        row.getKey(),
                        what)
                .in(table(queue));
    }

    private static RowTable table(Queue queue) {
        return switch (queue) {
            case DELETIONS -> RowTable.DELETION;
            case NOTICES -> RowTable.OUTBOX;
            case INTENTS -> RowTable.INTENT;
            default -> RowTable.NONE;
        };
    }

    /** Why the work for which this row is held will never be finished; empty if it may be. */
    private Optional<String> stuck(PendingRow held) throws FsException {
        String slot = "held for slot " + Integer.toUnsignedString(held.getSlot()) + " of operation " + held.getIntent();
        if (held.getCoordinator() < 0
                || held.getCoordinator() >= shard.servers().shards()) {
            return Optional.of(slot + " of shard " + Integer.toUnsignedString(held.getCoordinator())
                    + ", which is none of " + shard.servers().shards());
        }
        Optional<IntentStatusReply.State> state = status(shard.servers(), held);
        if (state.isEmpty()) {
            return Optional.of(slot + ", which its coordinator, shard " + held.getCoordinator() + ", does not know");
        }
        // If nothing was lost, the coordinator has finished the operation meanwhile. A coordinator whose store is not
        // settled gives the same answer for a finished operation.
        return state.get() == IntentStatusReply.State.STATE_UNSPECIFIED && isStillHeld(held)
                ? Optional.of(slot + ", which its coordinator, shard " + held.getCoordinator()
                        + ", does not know any more, since it is not settled")
                : Optional.empty();
    }

    private boolean isStillHeld(PendingRow held) throws FsException {
        return find(shard.servers(), shard.number(), held.getKey()).isPresent();
    }

    /** The row that a shard holds for an operation under the key; empty if it is no longer pending. */
    static Optional<PendingRow> find(CheckedServers servers, int shard, ByteString key) throws FsException {
        ScanPendingRequest request = ScanPendingRequest.newBuilder()
                .setQueue(Queue.INTENTS)
                .setAfter(key.substring(0, key.size() - 1))
                .setLimit(SIBLINGS)
                .build();
        return servers.askShard(shard, Kind.SCAN_PENDING, request, ScanPendingReply.class).getRowsList().stream()
                .filter(each -> each.getKey().equals(key))
                .findAny();
    }

    /** The state of the operation at its coordinator, which is a shard; empty if the coordinator never heard of it. */
    static Optional<IntentStatusReply.State> status(CheckedServers servers, PendingRow held) throws FsException {
        try {
            return Optional.of(servers.askShard(
                            held.getCoordinator(),
                            Kind.INTENT_STATUS,
                            IntentStatusRequest.newBuilder()
                                    .setIntent(held.getIntent())
                                    .setSlot(held.getSlot())
                                    .build(),
                            IntentStatusReply.class)
                    .getState());
        } catch (FsException e) {
            if (e.error() == FsError.INVALID_ARGUMENT) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
