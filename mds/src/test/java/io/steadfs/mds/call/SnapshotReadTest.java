package io.steadfs.mds.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.copy.ShardCopies;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.NoCopies;
import io.steadfs.mds.testing.TestCall;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.WriteView;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.IntentStatusReply;
import io.steadfs.wire.proto.IntentStatusRequest;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatHandlesReply;
import io.steadfs.wire.proto.StatHandlesRequest;
import io.steadfs.wire.proto.StatRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How often one read looks at other shards. */
class SnapshotReadTest {
    private static final int MOST = 1_000;
    private static final Principal ASKER = new Principal("anna", Set.of(), false, 5);

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final List<Reply> replies = new ArrayList<>();
    private final List<Integer> results = new ArrayList<>();
    private final ShardCopies copies = NoCopies.of();
    private final CountedSnapshots log = new CountedSnapshots(new LocalLog(new MemoryStore(ShardTables.ALL)));
    private int asked;

    /** A log that knows how many of its snapshots were taken and are open. */
    private static final class CountedSnapshots implements MetadataLog {
        private final MetadataLog log;
        private int taken;
        private int open;

        CountedSnapshots(MetadataLog log) {
            this.log = log;
        }

        @Override
        public ReadView committed() {
            return log.committed();
        }

        @Override
        public Store.Snapshot snapshot() {
            taken++;
            return counted(log.snapshot());
        }

        private Store.Snapshot counted(Store.Snapshot snapshot) {
            open++;
            return new Store.Snapshot() {
                @Override
                public Optional<byte[]> get(Table table, byte[] key) {
                    return snapshot.get(table, key);
                }

                @Override
                public Cursor scan(Table table, byte[] from, byte[] to) {
                    return snapshot.scan(table, from, to);
                }

                @Override
                public void close() {
                    open--;
                    snapshot.close();
                }
            };
        }

        @Override
        public Store.Snapshot glance() {
            taken++;
            return counted(log.glance());
        }

        @Override
        public Overlay begin() {
            return log.begin();
        }

        @Override
        public WriteView volatileRows() {
            return log.volatileRows();
        }

        @Override
        public void append(List<LogRecord> records, Overlay batch) throws IOException {
            log.append(records, batch);
        }
    }

    private TestCall statCall() {
        return new TestCall(
                new Request(
                        Kind.STAT, RequestHeader.getDefaultInstance(), StatRequest.getDefaultInstance(), Payload.EMPTY),
                replies::add);
    }

    private CompletableFuture<Reply> answer(int shard, Kind kind, String step, Caller caller, MessageLite body) {
        asked++;
        return CompletableFuture.completedFuture(
                kind == Kind.STAT_HANDLES
                        ? Reply.ok(StatHandlesReply.getDefaultInstance())
                        : Reply.ok(IntentStatusReply.newBuilder()
                                .setState(IntentStatusReply.State.FORGOTTEN)
                                .build()));
    }

    private void read(SnapshotRead.Looked<Integer> looked) {
        new SnapshotRead<>(
                        new Answering(statCall(), () -> 7),
                        ASKER,
                        looked,
                        new SnapshotRead.Dependencies(
                                log, view -> FixedInputs.now(), new Asking(this::answer, NoCopies.questions()), copies),
                        tasks::add,
                        results::add)
                .begin();
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        assertThat(log.open).as("snapshots left open").isZero();
    }

    /** A look that learns one thing after the other, and knows only then what to ask next. */
    private static SnapshotRead.Looked<Integer> inNeedOf(int facts) {
        return (ReadView view, Inputs inputs) -> {
            for (int i = 0; i < facts; i++) {
                inputs.peerAnswers()
                        .get(new Need.Ask(
                                1,
                                Kind.STAT_HANDLES,
                                StatHandlesRequest.newBuilder().addHandles(i).build()));
            }
            return facts;
        };
    }

    private void isRefused() {
        assertThat(results).isEmpty();
        assertThat(replies).hasSize(1);
        assertThat(replies.get(0).error()).isEqualTo(FsError.TOO_LARGE);
        assertThat(replies.get(0).header().getMessage()).contains("more than " + MOST + " looks");
        assertThat(asked).isEqualTo(MOST);
    }

    @Test
    void asManyLooksAsGoLeadToAResult() {
        read(inNeedOf(MOST));
        assertThat(results).containsExactly(MOST);
        assertThat(replies).isEmpty();
        assertThat(asked).isEqualTo(MOST);
        assertThat(log.taken).isEqualTo(1);
    }

    @Test
    void oneMoreIsTooLarge() {
        read(inNeedOf(MOST + 1));
        isRefused();
    }

    /** Each time a lock is met that is gone since: a new snapshot does not begin the count anew. */
    @Test
    void looksThatAreBegunAnewCountTogether() {
        IntentStatusRequest lock = IntentStatusRequest.newBuilder().setIntent(3).build();
        read((view, inputs) -> {
            inputs.peerAnswers().get(new Need.Ask(1, Kind.INTENT_STATUS, lock));
            return 1;
        });
        isRefused();
        assertThat(log.taken).isEqualTo(1 + MOST);
    }
}
