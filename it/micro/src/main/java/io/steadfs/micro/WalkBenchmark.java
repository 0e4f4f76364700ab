package io.steadfs.micro;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.op.list.Stat;
import io.steadfs.mds.op.name.CreateFile;
import io.steadfs.mds.op.name.Mkdirs;
import io.steadfs.mds.op.rename.RenamePath;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.StatRequest;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What does a shard's processor do for a warm stat, a create and a rename at depth 4, in a cluster of one shard and of three? All directories
 * are on this shard; nothing is committed. {@code bin/stead bench micro --only Walk}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WalkBenchmark {
    @Param({"1", "3"})
    public int shards;

    private final Principal principal = ShardGround.principal();
    private final StatRequest stat =
            StatRequest.newBuilder().setLocation(at("a/b/c/file")).build();
    private final CreateRequest create = CreateRequest.newBuilder()
            .setLocation(at("a/b/c/new"))
            .setMode(0644)
            .build();
    private final RenameRequest rename = RenameRequest.newBuilder()
            .setSource(at("a/b/c/file"))
            .setTarget(at("a/b/c/other"))
            .setMode(RenameRequest.Mode.NO_REPLACE)
            .build();
    private final ShardGround ground = ShardGround.start(16 << 20);
    private Inputs inputs = ShardGround.inputs();

    private static Location at(String path) {
        return Location.newBuilder().setPath(path).build();
    }

    @Setup
    public void build() throws IOException {
        inputs = ShardGround.inputs(shards);
        commit(
                new Mkdirs(0),
                MkdirsRequest.newBuilder()
                        .setLocation(at("a/b/c"))
                        .setMode(0755)
                        .setParentMode(0755)
                        .setCreateParents(true)
                        .build());
        commit(
                new CreateFile(0),
                CreateRequest.newBuilder()
                        .setLocation(at("a/b/c/file"))
                        .setMode(0644)
                        .build());
    }

    private <Q extends MessageLite> void commit(Operation<Q> operation, Q request) throws IOException {
        Decision<Reply> decision =
                operation.decide(request, principal, ground.store().committed(), inputs);
        ground.commit(decision.records());
    }

    private static Reply ok(Reply reply) {
        if (reply.error() != FsError.OK) {
            throw new IllegalStateException(reply.header().getMessage());
        }
        return reply;
    }

    private <Q extends MessageLite> boolean decide(Operation<Q> operation, Q request) {
        try (Overlay overlay = ground.store().overlay()) {
            Decision<Reply> decision = operation.decide(request, principal, overlay, inputs);
            ok(decision.answer());
            decision.records().forEach(record -> record.replay(overlay));
            return overlay.isEmpty();
        }
    }

    @Benchmark
    public Reply warmStat() {
        try (Store.Snapshot glance = ground.store().glance()) {
            return ok(new Stat().answer(stat, principal, glance, inputs));
        }
    }

    @Benchmark
    public boolean decideCreate() {
        return decide(new CreateFile(0), create);
    }

    @Benchmark
    public boolean decideRename() {
        return decide(new RenamePath(), rename);
    }

    @TearDown
    public void end() throws IOException {
        ground.close();
    }
}
