package io.steadfs.mds.op.mend;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DatafilesQueued;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.intent.IntentDecided;
import io.steadfs.mds.intent.IntentOpened;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.intent.SlotPrepared;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.NoticeQueued;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.LockHierarchy;
import io.steadfs.wire.proto.MendPending;
import io.steadfs.wire.proto.MendRequest;
import io.steadfs.wire.proto.MendSkip;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.ScanPendingRequest.Queue;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is pending is taken away only where it can never be done. */
class PendingMendingTest {
    private static final int STRANGER = 9;

    private final Shell shell = new Shell();

    @BeforeEach
    void twoShards() {
        shell.cluster = FixedInputs.CLUSTER.toBuilder().setShardCount(2).build();
    }

    private void given(LogRecord record) {
        shell.state.replay(List.of(record));
    }

    private FsError mend(Queue queue, byte[] key) {
        return mend(MendRequest.newBuilder()
                .setPending(MendPending.newBuilder().setQueue(queue).setKey(ByteString.copyFrom(key)))
                .build());
    }

    private FsError mend(MendRequest request) {
        Decision<Reply> decision =
                new Mend().decide(request, Shell.principal("root"), shell.state.view(), shell.inputs());
        return shell.state.apply(decision).error();
    }

    private FsError skip(long number) {
        return mend(MendRequest.newBuilder()
                .setSkip(MendSkip.newBuilder().setIntent(number))
                .build());
    }

    @Test
    void removalAtAnIoServerThatIsThereStays() {
        Handle metafile = Handle.of(Handle.shardOwner(0), 0, 5);
        Handle lost = Handle.of(STRANGER, 0, 1);
        Handle sound = Handle.of(2, 0, 1);
        given(new DatafilesQueued(metafile, List.of(lost, sound)));
        assertThat(mend(Queue.DELETIONS, Keys.of((byte) 1, sound.value(), metafile.value())))
                .isEqualTo(FsError.STALE_VERSION);
        assertThat(mend(Queue.DELETIONS, Keys.of((byte) 1, lost.value(), metafile.value())))
                .isEqualTo(FsError.OK);
        assertThat(mend(Queue.DELETIONS, Keys.of((byte) 1, lost.value(), metafile.value())))
                .isEqualTo(FsError.STALE_VERSION);
        assertThat(DeletionQueue.servers(shell.state.view())).containsExactly(2);
    }

    @Test
    void nothingIsTakenAwayByAShardThatKnowsNoIoServer() {
        shell.cluster = shell.cluster.toBuilder().clearServers().build();
        Handle metafile = Handle.of(Handle.shardOwner(0), 0, 5);
        Handle datafile = Handle.of(2, 0, 1);
        given(new DatafilesQueued(metafile, List.of(datafile)));
        assertThat(mend(Queue.DELETIONS, Keys.of((byte) 1, datafile.value(), metafile.value())))
                .isEqualTo(FsError.STALE_VERSION);
    }

    @Test
    void noticeToAShardThatIsThereStays() {
        Notice sound = new Notice(Notice.Kind.CUT_TREE, Handle.of(Handle.shardOwner(1), 0, 7));
        Notice lost = new Notice(Notice.Kind.CUT_TREE, Handle.of(Handle.shardOwner(STRANGER), 0, 7));
        given(new NoticeQueued(sound));
        given(new NoticeQueued(lost));
        assertThat(mend(Queue.NOTICES, key(sound))).isEqualTo(FsError.STALE_VERSION);
        assertThat(mend(Queue.NOTICES, key(lost))).isEqualTo(FsError.OK);
        assertThat(Outbox.shards(shell.state.view())).containsExactly(1);
    }

    private static byte[] key(Notice notice) {
        byte[] key = new byte[11];
        key[1] = (byte) notice.shard();
        key[2] = 2;
        Keys.putLong(key, 3, notice.object().value());
        return key;
    }

    @Test
    void decidedOperationWaitsForShardsThatAreThere() {
        given(new IntentDecided(4, decided(1, STRANGER)));
        given(new IntentDecided(5, decided(1, 1)));
        assertThat(mend(Queue.INTENTS, Keys.of((byte) 1, 5))).isEqualTo(FsError.STALE_VERSION);
        assertThat(mend(Queue.INTENTS, Keys.of((byte) 1, 4))).isEqualTo(FsError.OK);
        assertThat(Intents.find(shell.state.view(), 4)).contains(decided(1, 0));
    }

    private static IntentRow decided(int... shards) {
        IntentRow.Builder row = IntentRow.newBuilder().setState(IntentRow.State.DECIDED);
        for (int shard : shards) {
            row.addSlots(IntentRow.Slot.newBuilder().setShard(shard).setCommit(true));
        }
        return row.build();
    }

    @Test
    void whatIsHeldIsUndone() {
        SlotId slot = new SlotId(1, 30, 0);
        PrepareAction action = PrepareAction.newBuilder()
                .setLockHierarchy(LockHierarchy.getDefaultInstance())
                .build();
        given(new SlotPrepared(
                slot, PreparedRow.newBuilder().setAction(action.toByteString()).build()));
        assertThat(mend(Queue.INTENTS, Keys.of((byte) 3, 1, 30, 0))).isEqualTo(FsError.OK);
        assertThat(PreparedSlots.all(shell.state.view(), 1)).isEmpty();
    }

    @Test
    void noOperationIsBegunUnderANumberThatWasSkipped() {
        given(new IntentOpened(
                3, IntentRow.newBuilder().setState(IntentRow.State.OPEN).build(), 4));
        assertThat(skip(3)).isEqualTo(FsError.STALE_VERSION);
        assertThat(skip(2)).isEqualTo(FsError.OK);
        assertThat(Intents.next(shell.state.view())).isEqualTo(4);
        assertThat(skip(30)).isEqualTo(FsError.OK);
        assertThat(Intents.next(shell.state.view())).isEqualTo(31);
        assertThat(skip(Long.MAX_VALUE)).isEqualTo(FsError.INVALID_ARGUMENT);
    }
}
