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
 * Looks for pending work that a shard can never finish. There are two reasons: the cluster does not have the server of
 * the work, or the coordinator does not know the operation. Shards repeat all other work until the work is done. So
 * other work is no finding, even if the work is old.
 *
 * <p>This stage reads the row first and asks the coordinator afterwards. A coordinator makes an operation durable
 * before any shard holds anything for the operation. So a coordinator that does not know the operation of a held row
 * will never decide this operation.
 */
record PendingScan(ScannedShard shard) implements Stage {
    private static final List<Queue> QUEUES = List.of(Queue.DELETIONS, Queue.NOTICES, Queue.INTENTS);

    /** Largest number of rows whose keys differ only in the last byte. */
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
            // A server may have joined the cluster since the map was fetched.
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

    /** The reason why the operation of a held row will never finish; empty if the operation may finish. */
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
        // Only a coordinator whose store is not settled answers STATE_UNSPECIFIED. Such a coordinator cannot
        // distinguish a finished operation from a lost operation. If the operation has finished, the shard no longer
        // holds the row.
        return state.get() == IntentStatusReply.State.STATE_UNSPECIFIED && isStillHeld(held)
                ? Optional.of(slot + ", which its coordinator, shard " + held.getCoordinator()
                        + ", does not know any more, since it is not settled")
                : Optional.empty();
    }

    private boolean isStillHeld(PendingRow held) throws FsException {
        return find(shard.servers(), shard.number(), held.getKey()).isPresent();
    }

    /** The pending row with the key, which the shard holds for an operation; empty if there is no such row. */
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

    /**
     * Asks the operation's coordinator, which must be a shard of the cluster, for the operation's state. The result is
     * empty if the coordinator never knew the operation.
     */
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
