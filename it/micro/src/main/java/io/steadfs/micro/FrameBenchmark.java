package io.steadfs.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestReader;
import io.steadfs.wire.FrameDecoder;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.FrameLimits;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RequestHeader;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** How long does it take to write the frame of a CREATE, and to read it? {@code bin/stead bench micro --only Frame} */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FrameBenchmark {
    private static final PooledByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;

    private final CreateRequest body = CreateRequest.newBuilder()
            .setLocation(Location.newBuilder().setPath("warehouse/sales/day=2026-11-24/part-00017-c000.snappy.parquet"))
            .setMode(0644)
            .setCreateParents(true)
            .build();
    private final RequestHeader header = RequestHeader.newBuilder()
            .setCaller(Caller.newBuilder().setUser("spark"))
            .setEpoch(17)
            .setStep("create")
            .build();
    private final ByteBuf frame = encoded();
    private final FrameDecoder decoder = new FrameDecoder(new FrameLimits(64 << 10, 8 << 20, 16 << 20), ALLOCATOR);

    private ByteBuf encoded() {
        return FrameEncoder.request(ALLOCATOR, Kind.CREATE, 4711, 30_000, header, body, 0);
    }

    @Benchmark
    public int encode() {
        ByteBuf made = encoded();
        int length = made.readableBytes();
        made.release();
        return length;
    }

    @Benchmark
    public void decode(Blackhole hole) {
        frame.readerIndex(0);
        decoder.feed(frame, new RequestReader(new Into(hole)));
    }

    @TearDown
    public void end() {
        decoder.close();
        frame.release();
    }

    /** Takes requests and expects nothing else. */
    private record Into(Blackhole hole) implements RequestReader.Receiver {
        @Override
        public void request(Request request) {
            hole.consume(request);
        }

        @Override
        public void cancel(long call) {
            throw new IllegalStateException("call " + call + " was taken back");
        }

        @Override
        public void refuse(long call, FsError error, String message) {
            throw new IllegalStateException(message);
        }

        @Override
        public void end(long call, FsError error, String message) {
            throw new IllegalStateException(message);
        }

        @Override
        public boolean wantsMore() {
            return true;
        }
    }
}
