package io.steadfs.mds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.mds.testing.FakeIoServer;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.SimulatedClient;
import io.steadfs.mds.testing.SimulatedCluster;
import io.steadfs.mds.testing.SimulatedMds;
import io.steadfs.mds.testing.StateCheck;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.simulation.Faults;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AbandonRequest;
import io.steadfs.wire.proto.AppendReply;
import io.steadfs.wire.proto.AppendRequest;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.RecoverLeaseRequest;
import io.steadfs.wire.proto.TruncateFileRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Files that get writers, lose them and are cut, with the power cut at every step of the shard's writer: before its
 * batch, or after it and before any reply leaves. Answers and end are the same, and no writer keeps a right that it lost.
 */
class WriterCrashTest {
    private static final ServerAddress MDS = SimulatedCluster.MDS;
    private static final long STRIP = 1 << 20;

    private static final class Run {
        private final SimulatedTime time = new SimulatedTime(1);
        private final FakeIoServer io1 = new FakeIoServer(1);
        private final FakeIoServer io2 = new FakeIoServer(2);
        private final SimulatedMds mds;
        private final SimulatedClient first;
        private final SimulatedClient second;
        private final List<String> answers = new ArrayList<>();
        private Handle left = Handle.NONE;
        private Handle right = Handle.NONE;

        Run(Faults faults, long seed) {
            MemoryNetwork network = new MemoryNetwork(time, seed);
            network.setFaults(faults);
            network.start(SimulatedCluster.IO_1, io1);
            network.start(SimulatedCluster.IO_2, io2);
            mds = new SimulatedMds(
                    time, network, MDS, FixedInputs.CLUSTER, Settings.of(Map.of("stead.session.duration", "10000000")));
            first = new SimulatedClient(time, network, MDS, 42, "root");
            second = new SimulatedClient(time, network, MDS, 43, "root");
        }

        private Reply ask(SimulatedClient client, Kind kind, MessageLite body) {
            Reply reply = client.call(kind, body);
            answers.add(kind + " " + reply.error());
            return reply;
        }

        private Attributes append(SimulatedClient client) {
            Reply reply = ask(
                    client,
                    Kind.APPEND,
                    AppendRequest.newBuilder()
                            .setLocation(SimulatedCluster.at("f"))
                            .build());
            return reply.body() instanceof AppendReply body ? body.getAttributes() : Attributes.getDefaultInstance();
        }

        private void truncate(long length) {
            ask(
                    second,
                    Kind.TRUNCATE_FILE,
                    TruncateFileRequest.newBuilder()
                            .setLocation(SimulatedCluster.at("f"))
                            .setLength(length)
                            .build());
        }

        private void recover() {
            ask(
                    second,
                    Kind.RECOVER_LEASE,
                    RecoverLeaseRequest.newBuilder()
                            .setLocation(SimulatedCluster.at("f"))
                            .build());
        }

        private void settle(String what) {
            time.runUntil(
                    what,
                    () -> mds.isUp()
                            && RecoveringFiles.after(mds.store().committed(), Handle.NONE, 1)
                                    .isEmpty(),
                    300_000);
        }

        /** A writer seals the two columns, and stores bytes. */
        private void store(Attributes file, long inLeft, long inRight) {
            sealed(left).put(left, file.getWriteGeneration());
            sealed(right).put(right, file.getWriteGeneration());
            lengths(left).put(left, inLeft);
            lengths(right).put(right, inRight);
        }

        private Map<Handle, Long> sealed(Handle datafile) {
            return datafile.owner() == 1 ? io1.sealed() : io2.sealed();
        }

        private Map<Handle, Long> lengths(Handle datafile) {
            return datafile.owner() == 1 ? io1.lengths() : io2.lengths();
        }

        private void checkFile(long length, long inLeft, long inRight) {
            assertThat(StateCheck.of(mds.store().committed()).file("/f").getLength())
                    .isEqualTo(length);
            assertThat(lengths(left).get(left)).isEqualTo(inLeft);
            assertThat(lengths(right).get(right)).isEqualTo(inRight);
        }

        void script() {
            mds.start();
            assertThat(first.open().error()).isEqualTo(FsError.OK);
            assertThat(second.open().error()).isEqualTo(FsError.OK);
            Attributes made = SimulatedCluster.createFile(first, "f");
            left = made.getLayout().getServers(0) == 1 ? io1.make(STRIP) : io2.make(STRIP);
            right = made.getLayout().getServers(1) == 1 ? io1.make(7) : io2.make(7);
            ask(
                    first,
                    Kind.CLOSE,
                    SimulatedCluster.close(
                            made, STRIP + 7, SimulatedCluster.column(0, left), SimulatedCluster.column(1, right)));

            // A writer that leaves bytes behind a hole, and is taken away.
            Attributes appended = append(first);
            store(appended, STRIP, 2 * STRIP);
            append(second);
            recover();
            settle("the first recovery");
            checkFile(2 * STRIP, STRIP, STRIP);
            ask(first, Kind.CLOSE, SimulatedCluster.close(appended, 4 * STRIP));

            // A truncate: what is beyond goes, in both columns.
            truncate(STRIP - 5);
            settle("the truncate");
            checkFile(STRIP - 5, STRIP - 5, 0);
            truncate(STRIP);

            // A writer that gives up: what it stored stays as far as it has no hole.
            Attributes again = append(first);
            store(again, STRIP, 3);
            ask(
                    first,
                    Kind.ABANDON,
                    AbandonRequest.newBuilder()
                            .setMetafile(again.getHandle())
                            .setWriteGeneration(again.getWriteGeneration())
                            .build());
            settle("the second recovery");
            checkFile(STRIP + 3, STRIP, 3);
            recover();

            // A writer that closes as it should.
            Attributes last = append(second);
            store(last, STRIP, STRIP);
            ask(second, Kind.CLOSE, SimulatedCluster.close(last, 2 * STRIP));
        }

        void check() {
            assertThat(answers).isEqualTo(ANSWERS);
            checkFile(2 * STRIP, STRIP, STRIP);
            assertThat(StateCheck.of(mds.store().committed()).file("/f").getWriteGeneration())
                    .isEqualTo(7);
        }
    }

    private static final List<String> ANSWERS = List.of(
            "CLOSE OK",
            "APPEND OK",
            "APPEND FILE_OPEN",
            "RECOVER_LEASE OK",
            "CLOSE STALE_GENERATION",
            "TRUNCATE_FILE OK",
            "TRUNCATE_FILE INVALID_ARGUMENT",
            "APPEND OK",
            "ABANDON OK",
            "RECOVER_LEASE OK",
            "APPEND OK",
            "CLOSE OK");

    @Test
    void aCrashAtAnyStepChangesNoAnswerAndNotTheEnd() {
        Run undisturbed = new Run(Faults.NONE, 1);
        undisturbed.script();
        undisturbed.check();
        int steps = undisturbed.mds.steps();
        assertThat(steps).isGreaterThan(12);
        for (int step = 1; step < steps; step++) {
            for (boolean after : new boolean[] {false, true}) {
                Run run = new Run(Faults.NONE, 1);
                run.mds.crashAt(step, after);
                run.script();
                run.check();
            }
        }
    }

    @Test
    void lostDoubledAndReorderedMessagesChangeNothingEither() {
        for (long seed = 1; seed <= 40; seed++) {
            Run run = new Run(Faults.MANY, seed);
            run.mds.crashAt((int) (seed % 20), seed % 2 == 0);
            try {
                run.script();
                run.check();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }
}
