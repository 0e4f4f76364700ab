package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.state.RawPage;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.PendingRow;
import io.steadfs.wire.proto.ScanPendingReply;
import io.steadfs.wire.proto.ScanPendingRequest;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Answers one page of the pending work of this shard, for a check of the file system. Deletions, notices and decided
 * intents are pending until other servers have done their part. A slot that this shard holds for another shard is also
 * pending.
 */
public final class ScanPending extends TableScan<ScanPendingRequest> {
    public ScanPending() {
        super(Kind.SCAN_PENDING, "scan what is pending");
    }

    public static Table table(ScanPendingRequest.Queue queue) throws Refused {
        return switch (queue) {
            case DELETIONS -> ShardTables.DELETION;
            case NOTICES -> ShardTables.OUTBOX;
            case INTENTS -> ShardTables.INTENT;
            default -> throw new Refused(FsError.INVALID_ARGUMENT, "unknown queue of pending work");
        };
    }

    @Override
    ScanPage page(ScanPendingRequest request, ReadView view) throws Refused {
        return ScanPage.of(view, table(request.getQueue()), request.getAfter(), request.getLimit());
    }

    @Override
    MessageLite reply(ScanPendingRequest request, ScanPage page, Context context) {
        ScanPendingReply.Builder reply = ScanPendingReply.newBuilder()
                .setLast(page.last())
                .setMore(page.more())
                .addAllUnreadable(page.unreadable());
        for (RawPage.Row row : page.rows()) {
            readable(request.getQueue(), row, context.view())
                    .ifPresent(each -> reply.addRows(each.setKey(ByteString.copyFrom(row.key()))));
        }
        return reply.build();
    }

    /**
     * Like {@link #pending}, but empty for a row that cannot be read. The scan of the table reports an unreadable row.
     */
    private static Optional<PendingRow.Builder> readable(
            ScanPendingRequest.Queue queue, RawPage.Row row, ReadView view) {
        try {
            return pending(queue, row, view);
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /** The pending work that a row describes; empty if the row has another purpose. */
    private static Optional<PendingRow.Builder> pending(
            ScanPendingRequest.Queue queue, RawPage.Row row, ReadView view) {
        return switch (queue) {
            case DELETIONS ->
                DeletionQueue.met(row.key())
                        .map(queued -> PendingRow.newBuilder()
                                .setObject(queued.datafile().value())
                                .setMetafile(queued.metafile().value()));
            case NOTICES ->
                Outbox.met(row.key(), row.value())
                        .map(notice -> PendingRow.newBuilder()
                                .setObject(notice.object().value())
                                .addShards(notice.shard()));
            default -> decided(row.key(), view).or(() -> held(row.key()));
        };
    }

    private static Optional<PendingRow.Builder> decided(byte[] key, ReadView view) {
        Optional<Long> number = Intents.met(key);
        return number.flatMap(each -> Intents.find(view, each))
                .filter(row -> row.getState() == IntentRow.State.DECIDED)
                .map(row -> {
                    PendingRow.Builder pending = PendingRow.newBuilder().setIntent(number.get());
                    row.getSlotsList().forEach(slot -> pending.addShards(slot.getShard()));
                    return pending;
                });
    }

    private static Optional<PendingRow.Builder> held(byte[] key) {
        return PreparedSlots.met(key)
                .map(id -> PendingRow.newBuilder()
                        .setHeld(true)
                        .setCoordinator(id.coordinator())
                        .setIntent(id.intent())
                        .setSlot(id.slot()));
    }
}
