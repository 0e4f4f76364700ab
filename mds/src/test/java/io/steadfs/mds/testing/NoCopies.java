package io.steadfs.mds.testing;

import io.steadfs.mds.copy.GivenCopies;
import io.steadfs.mds.copy.HeldCopies;
import io.steadfs.mds.copy.ShardCopies;
import io.steadfs.mds.peer.CopyQuestions;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.proto.RecallCopiesRequest;
import java.util.concurrent.CompletableFuture;

/** The tables of a shard that has no peers. */
public final class NoCopies {
    private static final long TERM_MILLIS = 1_000;

    private NoCopies() {}

    public static ShardCopies of() {
        SimulatedTime time = new SimulatedTime(1);
        GivenCopies given = new GivenCopies(time, time, TERM_MILLIS, new Nobody());
        return new ShardCopies(time, 0, held(), given);
    }

    private static HeldCopies held() {
        return new HeldCopies(new SimulatedTime(1), TERM_MILLIS, (directory, name) -> {
            throw new AssertionError("a copy of " + directory + ", " + name + " is renewed");
        });
    }

    public static CopyQuestions questions() {
        return new CopyQuestions(
                0,
                held(),
                (shard, kind, step, caller, body) -> {
                    throw new AssertionError("shard " + shard + " is asked for copies");
                },
                new SimulatedTime(1));
    }

    private static final class Nobody implements GivenCopies.Recaller {
        @Override
        public boolean isAlone() {
            return true;
        }

        @Override
        public CompletableFuture<Boolean> recall(int holder, RecallCopiesRequest request) {
            throw new AssertionError("nobody has copies, and yet " + holder + " is asked for " + request);
        }
    }
}
