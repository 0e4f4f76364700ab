package io.steadfs.mds.op.name;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.Page;
import io.steadfs.mds.op.list.StatHandles;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CheckTreeReply;
import io.steadfs.wire.proto.CheckTreeRequest;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.IntentStatusReply;
import io.steadfs.wire.proto.StatHandlesReply;
import io.steadfs.wire.proto.StatHandlesRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often a check of a big tree asks other shards, and what it makes of their answers. */
class TreeCheckTest {
    private static final int SHARDS = 3;

    private final Shell shell = new Shell();
    private final Set<Handle> notAnnas = new HashSet<>();
    private final Map<MessageLite, IntentStatusReply.State> verdicts = new HashMap<>();
    private int files;
    private int looks;
    private int questions;

    @BeforeEach
    void severalShards() {
        shell.cluster = shell.cluster.toBuilder().setShardCount(SHARDS).build();
        shell.given("chmod 777 /; mkdir /d 777");
    }

    private static Handle far(int number) {
        return Handle.of(Handle.shardOwner(1 + number % (SHARDS - 1)), 0, 1_000 + number);
    }

    /** Files at the other shards with names in the directory. */
    private void farFiles(String directory, int count) {
        Handle handle = new Handle(shell.stat(directory).getHandle());
        List<LogRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(DirentSet.file(DirentKey.of(handle, "f" + files), far(files)));
            files++;
        }
        records.add(new CountsSet(
                handle, DirectoryCounts.first(1).toBuilder().setEntries(count).build()));
        shell.state.replay(records);
    }

    private void lock(String directory, String name, int slot) {
        DirentKey key = DirentKey.of(new Handle(shell.stat(directory).getHandle()), name);
        DirentRow row = Dirents.find(shell.state.view(), key).orElseThrow();
        LockRow lock = LockRow.newBuilder()
                .setCoordinator(2)
                .setIntent(5)
                .setSlot(slot)
                .build();
        shell.state.replay(
                List.of(new DirentSet(key, row.toBuilder().setLock(lock).build())));
    }

    /** Deletes as anna, with every need answered. */
    private Reply delete(String path) {
        looks = 0;
        questions = 0;
        while (true) {
            try {
                return shell.as("anna", "delete-r " + path);
            } catch (Missing missing) {
                looks++;
                Map<Need, Reply> answers = new HashMap<>();
                missing.needs().forEach(need -> answers.put(need, answer((Need.Ask) need)));
                shell.peerAnswers = shell.peerAnswers.with(answers);
            }
        }
    }

    private Reply answer(Need.Ask ask) {
        questions++;
        if (ask.kind() == Kind.CHECK_TREE) {
            CheckTreeRequest request = (CheckTreeRequest) ask.body();
            return Reply.ok(CheckTreeReply.newBuilder()
                    .addElsewhere(
                            TreeCheck.directory(new Handle(request.getDirectory() + 1), request.getPath() + "/below"))
                    .build());
        }
        if (ask.body() instanceof StatHandlesRequest request) {
            assertThat(request.getHandlesCount()).isBetween(1, Page.MAX_ENTRIES);
            assertThat(request.getNotOwnedBy()).isEqualTo("anna");
            StatHandlesReply.Builder reply = StatHandlesReply.newBuilder();
            for (long handle : request.getHandlesList()) {
                if (notAnnas.contains(new Handle(handle))) {
                    reply.addAttributes(Attributes.newBuilder()
                            .setHandle(handle)
                            .setType(FileType.FILE)
                            .setOwner("ben"));
                }
            }
            return Reply.ok(reply.build());
        }
        assertThat(ask.kind()).isEqualTo(Kind.INTENT_STATUS);
        return Reply.ok(IntentStatusReply.newBuilder()
                .setState(verdicts.getOrDefault(ask.body(), IntentStatusReply.State.OPEN))
                .build());
    }

    @Test
    void manySmallStickyDirectoriesAreAskedAfterTogether() {
        for (int i = 0; i < 1_200; i++) {
            shell.given("mkdir /d/s" + i + " 1777");
            farFiles("/d/s" + i, 3);
        }
        assertThat(delete("/d").error()).isEqualTo(FsError.OK);
        assertThat(looks).isEqualTo(1);
        assertThat(questions).isEqualTo(4);
    }

    @Test
    void oneOfAnothersInABigStickyDirectoryIsFound() {
        shell.given("mkdir /d/s 1777");
        farFiles("/d/s", 30_000);
        notAnnas.add(far(4_321));
        Reply refused = delete("/d");
        assertThat(refused.error()).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(refused.header().getMessage()).contains("/d/s/f4321");
        assertThat(looks).isEqualTo(1);

        notAnnas.clear();
        shell.peerAnswers = PeerAnswers.none();
        assertThat(delete("/d").error()).isEqualTo(FsError.OK);
        assertThat(looks).isEqualTo(1);
        assertThat(questions).isEqualTo(30);
    }

    /** A name that a rename takes away is as the rename's shard says: of one that is gone, no owner matters. */
    @Test
    void manyHeldNamesAreAskedAfterTogether() {
        shell.given("mkdir /d/s 1777");
        farFiles("/d/s", 200);
        for (int i = 0; i < 200; i++) {
            lock("/d/s", "f" + i, i);
        }
        notAnnas.add(far(7));
        verdict(7, IntentStatusReply.State.COMMITTED);
        assertThat(delete("/d").error()).isEqualTo(FsError.OK);
        assertThat(looks).isEqualTo(2);
    }

    @Test
    void aHeldNameThatStaysCounts() {
        shell.given("mkdir /d/s 1777; create /d/s/bens; chown ben /d/s/bens; mkdir /d/t 700; create /d/t/x");
        lock("/d/s", "bens", 1);
        lock("/d", "t", 2);
        verdict(1, IntentStatusReply.State.COMMITTED);
        verdict(2, IntentStatusReply.State.UNDONE);
        Reply refused = delete("/d");
        assertThat(refused.error()).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(refused.header().getMessage()).contains("/d/t");
    }

    private void verdict(int slot, IntentStatusReply.State state) {
        verdicts.put(
                Facts.verdict(LockRow.newBuilder()
                                .setCoordinator(2)
                                .setIntent(5)
                                .setSlot(slot)
                                .build())
                        .body(),
                state);
    }

    /** Each directory of the other shard answers that there is one more below it. */
    @Test
    void aTreeThatGoesAcrossForEverIsRefusedByName() {
        Handle top = far(0);
        shell.state.replay(List.of(
                DirentSet.directory(DirentKey.of(new Handle(shell.stat("/d").getHandle()), "far"), top),
                new CountsSet(
                        new Handle(shell.stat("/d").getHandle()),
                        DirectoryCounts.first(1).toBuilder().setEntries(1).build())));
        Reply refused = delete("/d");
        assertThat(refused.error()).isEqualTo(FsError.TOO_LARGE);
        assertThat(refused.header().getMessage()).contains("/d/far/below", "" + (TreeCheck.MOST_ROUNDS + 1));
    }

    @Test
    void itsShardLeavesOutWhatIsTheAskers() {
        shell.given("create /d/annas; chown anna /d/annas; create /d/bens; chown ben /d/bens");
        long annas = shell.stat("/d/annas").getHandle();
        long bens = shell.stat("/d/bens").getHandle();
        Need.Ask ask = Facts.notOwned(0, List.of(new Handle(annas), new Handle(bens)), "anna");
        StatHandlesReply reply = (StatHandlesReply)
                shell.ask(new StatHandles(), (StatHandlesRequest) ask.body(), Shell.principal("anna"))
                        .body();
        assertThat(reply.getAttributesList()).extracting(Attributes::getHandle).containsExactly(bens);
    }
}
