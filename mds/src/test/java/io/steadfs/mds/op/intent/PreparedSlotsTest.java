package io.steadfs.mds.op.intent;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.ShardService;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotCount;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.intent.SlotPrepared;
import io.steadfs.mds.intent.SlotsCounted;
import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.CountsCheck;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.FinishRequest;
import io.steadfs.wire.proto.MakeDirectory;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.PrepareRequest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much a shard holds for others, and how much one of them may say at a time. */
class PreparedSlotsTest {
    private static final int COORDINATOR = 1;
    private static final PrepareAction ACTION = PrepareAction.newBuilder()
            .setMakeDirectory(MakeDirectory.newBuilder()
                    .setMode(0755)
                    .setOwner("anna")
                    .setParent(Handle.of(Handle.shardOwner(COORDINATOR), 0, 5).value()))
            .build();

    private final Shell shell = new Shell();

    @BeforeEach
    void threeShards() {
        shell.cluster = FixedInputs.CLUSTER.toBuilder().setShardCount(3).build();
    }

    private Reply prepare(int coordinator, long intent) {
        PrepareRequest request = PrepareRequest.newBuilder()
                .setCoordinator(coordinator)
                .setIntent(intent)
                .setLowestOpen(1)
                .setAction(ACTION)
                .build();
        return shell.decide(new PrepareSlot(), request, Shell.principal("root"));
    }

    private Reply finish(long intent, int slots) {
        FinishRequest request = FinishRequest.newBuilder()
                .setCoordinator(COORDINATOR)
                .setIntent(intent)
                .setLowestOpen(1)
                .addAllSlots(IntStream.range(0, slots)
                        .mapToObj(slot ->
                                FinishRequest.Slot.newBuilder().setSlot(slot).build())
                        .toList())
                .build();
        return shell.decide(new FinishIntent(), request, Shell.principal("root"));
    }

    private long held() {
        CountsCheck.of(shell.state.view());
        return SlotCount.of(shell.state.view(), COORDINATOR).slots();
    }

    /** A directory of an earlier release may have such a group, and hands it down. */
    @Test
    void aDirectoryTakesAGroupThatNoneMayBeGivenNow() {
        String group = "g".repeat(256);
        MakeDirectory made =
                ACTION.getMakeDirectory().toBuilder().setGroup(group).build();
        PrepareRequest request = PrepareRequest.newBuilder()
                .setCoordinator(COORDINATOR)
                .setIntent(1)
                .setLowestOpen(1)
                .setAction(PrepareAction.newBuilder().setMakeDirectory(made))
                .build();
        Reply reply = shell.decide(new PrepareSlot(), request, Shell.principal("root"));
        assertThat(reply.error()).isEqualTo(FsError.OK);
        assertThat(((PrepareReply) reply.body()).getAttributes().getGroup()).isEqualTo(group);
    }

    /** Whoever made names in it got there by its name, so the coordinator had committed, and lost that. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1})
    void aDirectoryWithNamesIsNotUndone(long names) {
        Reply reply = prepare(COORDINATOR, 1);
        Handle made = new Handle(((PrepareReply) reply.body()).getAttributes().getHandle());
        shell.state.replay(List.of(new CountsSet(
                made, DirectoryCounts.first(1).toBuilder().setEntries(names).build())));
        assertThat(finish(1, 1).error()).isEqualTo(FsError.OK);
        assertThat(held()).isZero();
        assertThat(Directories.find(shell.state.view(), made).isPresent()).isEqualTo(names > 0);
        assertThat(DirectoryCounts.find(shell.state.view(), made).isPresent()).isEqualTo(names > 0);
    }

    /** A prepare that comes after its intent has ended would hold something for ever. */
    @Test
    void aPrepareAfterTheEndHoldsNothing() {
        assertThat(prepare(COORDINATOR, 1).error()).isEqualTo(FsError.OK);
        assertThat(finish(1, 1).error()).isEqualTo(FsError.OK);
        assertThat(prepare(COORDINATOR, 1).error()).isEqualTo(FsError.CANCELLED);
        assertThat(finish(2, 1).error()).as("before any prepare").isEqualTo(FsError.OK);
        assertThat(prepare(COORDINATOR, 2).error()).isEqualTo(FsError.CANCELLED);
        assertThat(held()).isZero();
        assertThat(prepare(COORDINATOR, 3).error()).isEqualTo(FsError.OK);
    }

    /** All but one that go, of slots whose count is lost. */
    private void fillButOne() {
        PreparedRow row =
                PreparedRow.newBuilder().setAction(ACTION.toByteString()).build();
        List<LogRecord> records = new ArrayList<>();
        for (int intent = 1; intent < PreparedSlots.MOST_OF_COORDINATOR; intent++) {
            records.add(new SlotPrepared(new SlotId(COORDINATOR, intent, 0), row));
        }
        shell.state.replay(records);
    }

    @Test
    void onlySoManyAreHeldForOneCoordinator() {
        fillButOne();
        long last = PreparedSlots.MOST_OF_COORDINATOR;

        assertThat(prepare(COORDINATOR, last).error()).isEqualTo(FsError.OK);
        assertThat(held()).isEqualTo(last);
        Reply refused = prepare(COORDINATOR, last + 1);
        assertThat(refused.error()).isEqualTo(FsError.BUSY);
        assertThat(refused.header().getMessage()).contains("10000 slots", "shard 1");
        assertThat(held()).isEqualTo(last);

        assertThat(prepare(COORDINATOR, last).error()).as("the same again").isEqualTo(FsError.OK);
        assertThat(prepare(2, 1).error()).as("another coordinator").isEqualTo(FsError.OK);
        assertThat(finish(last, 1).error()).isEqualTo(FsError.OK);
        assertThat(held()).isEqualTo(last - 1);
        assertThat(prepare(COORDINATOR, last + 1).error()).isEqualTo(FsError.OK);
        assertThat(held()).isEqualTo(last);
    }

    @Test
    void noMessageRaisesTheFloor() {
        PrepareRequest prepare = PrepareRequest.newBuilder()
                .setCoordinator(COORDINATOR)
                .setIntent(Intents.MOST)
                .setLowestOpen(Intents.MOST)
                .setAction(ACTION)
                .build();
        FinishRequest finish = FinishRequest.newBuilder()
                .setCoordinator(COORDINATOR)
                .setIntent(Intents.MOST)
                .setLowestOpen(Intents.MOST)
                .build();
        assertThat(shell.decide(new PrepareSlot(), prepare, Shell.principal("root"))
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(shell.decide(new FinishIntent(), finish, Shell.principal("root"))
                        .error())
                .isEqualTo(FsError.OK);

        assertThat(PreparedSlots.floor(shell.state.view(), COORDINATOR)).isEqualTo(1);
        assertThat(prepare(COORDINATOR, 1).error()).isEqualTo(FsError.OK);
    }

    @Test
    void anIntentAboveAllIsRefused() {
        assertThat(prepare(COORDINATOR, Intents.MOST + 1).error()).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(finish(Intents.MOST + 1, 1).error()).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(finish(Long.MAX_VALUE, 1).error()).isEqualTo(FsError.INVALID_ARGUMENT);
    }

    @Test
    void aSlotThatIsLostMakesRoomToo() {
        prepare(COORDINATOR, 1);
        prepare(COORDINATOR, 2);
        assertThat(held()).isEqualTo(2);
        assertThat(shell.state.apply(
                        new UndoLostSlot(new SlotId(COORDINATOR, 1, 0)).decide(shell.state.view(), shell.inputs())))
                .isTrue();
        assertThat(held()).isEqualTo(1);
    }

    @Test
    void oneMessageFinishesOnlySoManySlots() {
        prepare(COORDINATOR, 1);
        Reply refused = finish(1, PreparedSlots.MOST_OF_INTENT + 1);
        assertThat(refused.error()).isEqualTo(FsError.TOO_LARGE);
        assertThat(refused.header().getMessage()).contains("1001 slots", "intent 1", "1000");
        assertThat(held()).isEqualTo(1);

        assertThat(finish(1, PreparedSlots.MOST_OF_INTENT).error()).isEqualTo(FsError.OK);
        assertThat(held()).isZero();
    }

    @Test
    void aSlotIsFinishedOnceInAMessage() {
        prepare(COORDINATOR, 1);
        FinishRequest.Slot slot = FinishRequest.Slot.newBuilder().setSlot(0).build();
        FinishRequest twice = FinishRequest.newBuilder()
                .setCoordinator(COORDINATOR)
                .setIntent(1)
                .setLowestOpen(1)
                .addSlots(slot)
                .addSlots(slot)
                .build();
        Reply refused = shell.decide(new FinishIntent(), twice, Shell.principal("root"));
        assertThat(refused.error()).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(refused.header().getMessage()).contains("slot 0 of intent 1 of shard 1 is in one message twice");
        assertThat(held()).isEqualTo(1);
    }

    /** 8 bytes that are too low or negative, or what was never a count. */
    @ParameterizedTest
    @ValueSource(strings = {"0000000000000000", "ffffffffffffffff", "", "0001"})
    void aCountThatIsWrongIsCountedAnew(String value) {
        prepare(COORDINATOR, 1);
        prepare(COORDINATOR, 2);
        prepare(COORDINATOR, 3);
        shell.state.replay(List.of(view -> view.put(
                ShardTables.INTENT,
                Keys.of((byte) 0x08, COORDINATOR),
                HexFormat.of().parseHex(value))));

        FinishRequest first = FinishRequest.newBuilder()
                .setCoordinator(COORDINATOR)
                .setIntent(1)
                .setLowestOpen(1)
                .addSlots(FinishRequest.Slot.newBuilder().setSlot(0))
                .addSlots(FinishRequest.Slot.newBuilder().setSlot(1))
                .build();
        Decision<Reply> finished =
                new FinishIntent().decide(first, Shell.principal("root"), shell.state.view(), shell.inputs());
        assertThat(ShardService.TOTALS.of(finished.records(), shell.state.view()))
                .singleElement()
                .satisfies(record -> {
                    SlotsCounted counted = (SlotsCounted) record;
                    assertThat(counted.slots()).isEqualTo(2);
                    assertThat(counted.wrong().orElseThrow()).contains("held for shard 1", "one by one it was 3");
                });
        shell.state.apply(finished);
        assertThat(held()).isEqualTo(2);
        assertThat(finish(2, 1).error()).isEqualTo(FsError.OK);
        assertThat(held()).isEqualTo(1);
    }

    @Test
    void aPrepareWritesTheCountThatItWasHeldAgainst() {
        prepare(COORDINATOR, 1);
        PrepareRequest second = PrepareRequest.newBuilder()
                .setCoordinator(COORDINATOR)
                .setIntent(2)
                .setLowestOpen(1)
                .setAction(ACTION)
                .build();
        Decision<Reply> held =
                new PrepareSlot().decide(second, Shell.principal("root"), shell.state.view(), shell.inputs());
        assertThat(held.records()).contains(new SlotsCounted(COORDINATOR, 2, Optional.empty()));
        assertThat(ShardService.TOTALS.of(held.records(), shell.state.view())).isEmpty();
    }
}
