package io.steadfs.micro;

import io.steadfs.error.FsError;
import io.steadfs.mds.op.name.CreateFile;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Overlay;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.Location;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long does a shard take to decide a create, and to replay its records? In batches of {@value #BATCH}, each over the same committed
 * state in a real store; nothing is committed. {@code bin/stead bench micro --only CreateDecision}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CreateDecisionBenchmark {
    private static final int BATCH = 24;

    private final CreateFile operation = new CreateFile(0);
    private final Principal principal = ShardGround.principal();
    private final Inputs inputs = ShardGround.inputs();
    private final CreateRequest[] requests = new CreateRequest[BATCH];
    private final ShardGround ground = ShardGround.start();

    @Setup(Level.Trial)
    public void buildRequests() {
        for (int i = 0; i < BATCH; i++) {
            requests[i] = CreateRequest.newBuilder()
                    .setLocation(Location.newBuilder().setPath("new-part-" + i))
                    .setMode(0644)
                    .build();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public boolean decideAndReplay() {
        try (Overlay overlay = ground.store().overlay()) {
            for (CreateRequest request : requests) {
                Decision<Reply> decision = operation.decide(request, principal, overlay, inputs);
                if (decision.answer().error() != FsError.OK) {
                    throw new IllegalStateException(decision.answer().header().getMessage());
                }
                decision.records().forEach(record -> record.replay(overlay));
            }
            return overlay.isEmpty();
        }
    }

    @TearDown
    public void end() throws IOException {
        ground.close();
    }
}
