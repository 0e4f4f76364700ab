package io.steadfs.fsck;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.IntentStatusReply;
import io.steadfs.wire.proto.MendPending;
import io.steadfs.wire.proto.MendReply;
import io.steadfs.wire.proto.MendRequest;
import io.steadfs.wire.proto.MendSkip;
import io.steadfs.wire.proto.PendingRow;
import io.steadfs.wire.proto.ScanPendingRequest.Queue;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Removes pending rows whose work can never end. The shard itself checks whether the cluster has the server for which a
 * row waits. If an operation's coordinator does not know the operation, the repair undoes the part that a shard holds.
 * Before that, the coordinator durably skips the operation's number. So the coordinator never begins another operation
 * under the same number.
 */
final class PendingRepair {
    private static final Set<IntentStatusReply.State> UNKNOWN =
            EnumSet.of(IntentStatusReply.State.FORGOTTEN, IntentStatusReply.State.STATE_UNSPECIFIED);

    private final CheckedServers servers;

    PendingRepair(CheckedServers servers) {
        this.servers = servers;
    }

    /** Returns a description of the repair. */
    String deletion(Finding finding) throws FsException {
        mend(finding, Queue.DELETIONS);
        return "the datafile is not in the queue any more";
    }

    /** Returns a description of the repair. */
    String intent(Finding finding) throws FsException {
        if (finding.table() == RowTable.OUTBOX) {
            mend(finding, Queue.NOTICES);
            return "nobody is told";
        }
        PendingRow row = row(finding);
        if (row.getHeld()) {
            skip(row);
        }
        mend(finding, Queue.INTENTS);
        return row.getHeld() ? "what was held is undone" : "the operation does not wait for it any more";
    }

    private PendingRow row(Finding finding) throws FsException {
        return PendingScan.find(servers, finding.shard(), finding.key())
                .orElseThrow(() -> new FsException(FsError.STALE_VERSION, "it is not pending any more; check again"));
    }

    private void skip(PendingRow held) throws FsException {
        servers.refresh();
        if (held.getCoordinator() < 0 || held.getCoordinator() >= servers.shards()) {
            return;
        }
        Optional<IntentStatusReply.State> state = PendingScan.status(servers, held);
        if (state.filter(each -> !UNKNOWN.contains(each)).isPresent()) {
            throw new FsException(
                    FsError.STALE_VERSION,
                    "shard " + held.getCoordinator() + " knows operation " + held.getIntent() + "; check again");
        }
        MendRequest request = MendRequest.newBuilder()
                .setSkip(MendSkip.newBuilder().setIntent(held.getIntent()))
                .build();
        var unused = servers.askShard(held.getCoordinator(), Kind.MEND, request, MendReply.class);
    }

    private void mend(Finding finding, Queue queue) throws FsException {
        MendRequest request = MendRequest.newBuilder()
                .setPending(MendPending.newBuilder().setQueue(queue).setKey(finding.key()))
                .build();
        var unused = servers.askShard(finding.shard(), Kind.MEND, request, MendReply.class);
    }
}
