package io.steadfs.mds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.mds.testing.FakeIoServer;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.SimulatedClient;
import io.steadfs.mds.testing.SimulatedMds;
import io.steadfs.mds.testing.StateCheck;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.simulation.Faults;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.CloseRequest;
import io.steadfs.wire.proto.CloseSessionRequest;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.SetXattrRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * One script of requests, with the power cut at every step of the writer: before its batch, or after it and before any
 * reply leaves. The client repeats what was not answered. Whatever was cut, the answers and the end are the same.
 */
class CrashTest {
    private static final ServerAddress MDS = new ServerAddress("mds-1", 9000);
    private static final Settings SETTINGS = Settings.of(Map.of("stead.session.duration", "10000"));

    /** One run of the script on a cluster of its own. */
    private static final class Run {
        private final SimulatedTime time = new SimulatedTime(1);
        private final MemoryNetwork network;
        private final FakeIoServer io1 = new FakeIoServer(1);
        private final FakeIoServer io2 = new FakeIoServer(2);
        private final SimulatedMds mds;
        private final SimulatedClient client;
        private final List<String> answers = new ArrayList<>();

        Run(Faults faults, long seed) {
            network = new MemoryNetwork(time, seed);
            network.setFaults(faults);
            network.start(new ServerAddress("io-1", 9001), io1);
            network.start(new ServerAddress("io-2", 9002), io2);
            mds = new SimulatedMds(time, network, MDS, FixedInputs.CLUSTER, SETTINGS);
            client = new SimulatedClient(time, network, MDS, 42, "root");
        }

        void script() {
            mds.start();
            assertThat(client.open().error()).isEqualTo(FsError.OK);
            mkdirs("a/b");
            writeAndClose("a/f", 100);
            writeAndClose("a/b/g", 200);
            mkdirs("a/b/c");
            writeAndClose("a/b/c/h", 300);
            ask(Kind.CREATE, create("a/f", false));
            writeAndClose("a/f", 50);
            ask(
                    Kind.SET_XATTR,
                    SetXattrRequest.newBuilder()
                            .setLocation(at("a/f"))
                            .setName("user.colour")
                            .setCreate(true)
                            .build());
            ask(
                    Kind.RENAME,
                    RenameRequest.newBuilder()
                            .setSource(at("a/f"))
                            .setTarget(at("moved"))
                            .build());
            ask(
                    Kind.DELETE,
                    DeleteRequest.newBuilder()
                            .setLocation(at("a/b"))
                            .setRecursive(true)
                            .build());
            ask(Kind.DELETE, DeleteRequest.newBuilder().setLocation(at("a/b")).build());
            openAndLeave("a/left");
            ask(
                    Kind.CLOSE_SESSION,
                    CloseSessionRequest.newBuilder().setSession(42).build());
            time.runUntil("the duties have nothing more to do", this::isQuiet, 300_000);
        }

        private boolean isQuiet() {
            return mds.isUp()
                    && DeletionQueue.servers(mds.store().committed()).isEmpty()
                    && DeletionQueue.trees(mds.store().committed(), Handle.NONE, 1)
                            .isEmpty()
                    && RecoveringFiles.after(mds.store().committed(), Handle.NONE, 1)
                            .isEmpty();
        }

        private static Location at(String path) {
            return Location.newBuilder().setPath(path).build();
        }

        private static CreateRequest create(String path, boolean overwrite) {
            return CreateRequest.newBuilder()
                    .setLocation(at(path))
                    .setMode(0644)
                    .setOverwrite(overwrite)
                    .setWidth(1)
                    .build();
        }

        private void mkdirs(String path) {
            ask(
                    Kind.MKDIRS,
                    MkdirsRequest.newBuilder()
                            .setLocation(at(path))
                            .setMode(0755)
                            .setCreateParents(true)
                            .setParentMode(0755)
                            .build());
        }

        private Reply ask(Kind kind, MessageLite body) {
            Reply reply = client.call(kind, body);
            answers.add(kind + " " + reply.error());
            return reply;
        }

        private CreateReply open(String path) {
            Reply reply = ask(Kind.CREATE, create(path, true));
            assertThat(reply.body()).isInstanceOf(CreateReply.class);
            return (CreateReply) reply.body();
        }

        private AttachedColumn firstWrite(CreateReply file, long bytes) {
            FakeIoServer io = file.getAttributes().getLayout().getServers(0) == 1 ? io1 : io2;
            return AttachedColumn.newBuilder()
                    .setIndex(0)
                    .setDatafile(io.make(bytes).value())
                    .build();
        }

        private void writeAndClose(String path, long bytes) {
            CreateReply file = open(path);
            ask(
                    Kind.CLOSE,
                    CloseRequest.newBuilder()
                            .setMetafile(file.getAttributes().getHandle())
                            .setWriteGeneration(file.getAttributes().getWriteGeneration())
                            .addColumns(firstWrite(file, bytes))
                            .setLength(bytes)
                            .build());
        }

        private void openAndLeave(String path) {
            CreateReply file = open(path);
            ask(
                    Kind.ATTACH,
                    AttachRequest.newBuilder()
                            .setMetafile(file.getAttributes().getHandle())
                            .setWriteGeneration(file.getAttributes().getWriteGeneration())
                            .addColumns(firstWrite(file, 77))
                            .build());
        }

        void check(List<String> expectedAnswers) {
            assertThat(answers).isEqualTo(expectedAnswers);
            StateCheck state = StateCheck.of(mds.store().committed());
            assertThat(state.paths()).containsExactly("/a/", "/a/left", "/moved");
            assertThat(state.file("/moved").getLength()).isEqualTo(50);
            assertThat(state.file("/a/left").getLength()).isEqualTo(77);
            assertThat(state.file("/a/left").getWriteGeneration()).isEqualTo(2);
            assertThat(state.file("/a/left").getRecovering()).isFalse();
            TreeSet<Handle> stored = new TreeSet<>(io1.lengths().keySet());
            stored.addAll(io2.lengths().keySet());
            assertThat(stored).isEqualTo(state.datafiles());
        }
    }

    private static final List<String> ANSWERS = List.of(
            "MKDIRS OK",
            "CREATE OK",
            "CLOSE OK",
            "CREATE OK",
            "CLOSE OK",
            "MKDIRS OK",
            "CREATE OK",
            "CLOSE OK",
            "CREATE ALREADY_EXISTS",
            "CREATE OK",
            "CLOSE OK",
            "SET_XATTR OK",
            "RENAME OK",
            "DELETE OK",
            "DELETE NOT_FOUND",
            "CREATE OK",
            "ATTACH OK",
            "CLOSE_SESSION OK");

    @Test
    void aCrashAtAnyStepChangesNoAnswerAndNotTheEnd() {
        Run undisturbed = new Run(Faults.NONE, 1);
        undisturbed.script();
        undisturbed.check(ANSWERS);
        int steps = undisturbed.mds.steps();
        assertThat(steps).isGreaterThan(15);
        for (int step = 1; step < steps; step++) {
            for (boolean after : new boolean[] {false, true}) {
                Run run = new Run(Faults.NONE, 1);
                run.mds.crashAt(step, after);
                run.script();
                run.check(ANSWERS);
            }
        }
    }

    @Test
    void lostDoubledAndReorderedMessagesAndCrashesChangeNoAnswerEither() {
        for (long seed = 1; seed <= 40; seed++) {
            Run run = new Run(Faults.MANY, seed);
            run.mds.crashAt((int) (seed % 20), seed % 2 == 0);
            try {
                run.script();
                run.check(ANSWERS);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        List<List<String>> traces = new ArrayList<>();
        for (long seed : new long[] {7, 7, 8}) {
            Run run = new Run(Faults.MANY, seed);
            run.mds.crashAt(5, true);
            run.script();
            traces.add(run.network.trace());
        }
        assertThat(traces.get(0)).isEqualTo(traces.get(1)).isNotEqualTo(traces.get(2));
    }
}
