package io.steadfs.mds.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CloseRequest;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.MkdirsRequest;
import java.util.Map;
import java.util.function.Predicate;

/** A metadata server and two IO servers in one thread; sessions last 10 seconds. */
public final class SimulatedCluster {
    public static final ServerAddress MDS = new ServerAddress("mds-1", 9000);
    public static final ServerAddress IO_1 = new ServerAddress("io-1", 9001);
    public static final ServerAddress IO_2 = new ServerAddress("io-2", 9002);
    public static final long SESSION_MILLIS = 10_000;
    private static final Settings SETTINGS = Settings.of(Map.of("stead.session.duration", "10000"));

    private final SimulatedTime time;
    private final MemoryNetwork network;
    private final FakeIoServer io1 = new FakeIoServer(1);
    private final FakeIoServer io2 = new FakeIoServer(2);
    private final SimulatedMds mds;

    public SimulatedCluster(long seed) {
        time = new SimulatedTime(seed);
        network = new MemoryNetwork(time, seed);
        network.start(IO_1, io1);
        network.start(IO_2, io2);
        mds = new SimulatedMds(time, network, MDS, FixedInputs.CLUSTER, SETTINGS);
        mds.start();
    }

    public SimulatedTime time() {
        return time;
    }

    public MemoryNetwork network() {
        return network;
    }

    public SimulatedMds mds() {
        return mds;
    }

    public FakeIoServer io1() {
        return io1;
    }

    public FakeIoServer io2() {
        return io2;
    }

    public ReadView committed() {
        return mds.store().committed();
    }

    public StateCheck state() {
        return StateCheck.of(committed());
    }

    /** A client with a session that is open. */
    public SimulatedClient client(long session) {
        SimulatedClient client = new SimulatedClient(time, network, MDS, session, "root");
        assertThat(client.open().error()).isEqualTo(FsError.OK);
        return client;
    }

    public void until(String what, Predicate<ReadView> condition, long limitMillis) {
        time.runUntil(what, () -> mds.isUp() && condition.test(committed()), limitMillis);
    }

    public static Location at(String path) {
        return Location.newBuilder().setPath(path).build();
    }

    public static void mkdirs(SimulatedClient client, String path) {
        Reply reply = client.call(
                Kind.MKDIRS,
                MkdirsRequest.newBuilder()
                        .setLocation(at(path))
                        .setMode(0755)
                        .setCreateParents(true)
                        .setParentMode(0755)
                        .build());
        assertThat(reply.error()).isEqualTo(FsError.OK);
    }

    /** Makes a file with two columns and leaves it open. */
    public static Attributes createFile(SimulatedClient client, String path) {
        Reply reply = client.call(
                Kind.CREATE,
                CreateRequest.newBuilder()
                        .setLocation(at(path))
                        .setMode(0644)
                        .setOverwrite(true)
                        .setWidth(2)
                        .build());
        assertThat(reply.error()).as(path).isEqualTo(FsError.OK);
        return ((CreateReply) reply.body()).getAttributes();
    }

    public static AttachRequest attach(Attributes file, int index, Handle datafile) {
        return AttachRequest.newBuilder()
                .setMetafile(file.getHandle())
                .setWriteGeneration(file.getWriteGeneration())
                .addColumns(column(index, datafile))
                .build();
    }

    public static CloseRequest close(Attributes file, long length, AttachedColumn... columns) {
        CloseRequest.Builder request = CloseRequest.newBuilder()
                .setMetafile(file.getHandle())
                .setWriteGeneration(file.getWriteGeneration())
                .setLength(length);
        for (AttachedColumn column : columns) {
            request.addColumns(column);
        }
        return request.build();
    }

    public static AttachedColumn column(int index, Handle datafile) {
        return AttachedColumn.newBuilder()
                .setIndex(index)
                .setDatafile(datafile.value())
                .build();
    }
}
