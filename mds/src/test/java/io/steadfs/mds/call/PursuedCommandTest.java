package io.steadfs.mds.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.NoCopies;
import io.steadfs.mds.testing.NoIntents;
import io.steadfs.mds.testing.State;
import io.steadfs.mds.testing.TestCall;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.MakeDirectory;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What one operation may want to have held at other shards. */
class PursuedCommandTest {
    private static final Principal ASKER = new Principal("root", Set.of(), true, 5);
    private static final Peers NOBODY = (shard, kind, step, caller, body) ->
            CompletableFuture.completedFuture(Reply.refused(kind, FsError.UNREACHABLE, "there is no shard " + shard));

    private final State state = new State();

    private static TestCall renameCall() {
        return new TestCall(
                new Request(
                        Kind.RENAME,
                        RequestHeader.newBuilder().setSession(5).setRequestId(1).build(),
                        RenameRequest.getDefaultInstance(),
                        Payload.EMPTY),
                reply -> {
                    throw new AssertionError(reply);
                });
    }

    private Decision<PursuedCommand.Outcome<Reply>> decide(int prepares) {
        Set<Need> needs = new HashSet<>();
        for (int i = 0; i < prepares; i++) {
            PrepareAction action = PrepareAction.newBuilder()
                    .setMakeDirectory(MakeDirectory.newBuilder().setDepth(i))
                    .build();
            needs.add(new Need.Prepare(1, action));
        }
        Operation<MessageLite> wanting = (request, principal, view, inputs) -> {
            throw new Missing(needs);
        };
        Answering answering = new Answering(renameCall(), () -> 7);
        SimulatedTime time = new SimulatedTime(1);
        PursuitGround ground = PursuitGround.of(
                command -> {
                    throw new AssertionError(command);
                },
                NOBODY,
                NoCopies.questions(),
                new IntentPeers(0, NOBODY, state::view),
                new AwaitedShards(),
                new NoIntents(),
                time,
                time,
                1_000,
                new SplittableRandom(1));
        Pursued<Reply> pursued = Pursued.ofRequest(answering, ASKER, new RequestCommand(answering, ASKER, wanting));
        return new PursuedCommand<>(
                        new Pursuit<>(pursued, ground),
                        pursued,
                        new AwaitedShards(),
                        PeerAnswers.none(),
                        PursuedIntent.NONE)
                .decide(state.view(), FixedInputs.now());
    }

    @Test
    void asManyAsGoAreInTheIntent() {
        Decision<PursuedCommand.Outcome<Reply>> decision = decide(PreparedSlots.MOST_OF_INTENT);
        assertThat(decision.answer())
                .isInstanceOfSatisfying(
                        PursuedCommand.Outcome.Wanting.class,
                        wanting -> assertThat(wanting.intent().slots()).hasSize(PreparedSlots.MOST_OF_INTENT));
        assertThat(decision.records()).hasSize(1);
    }

    @Test
    void oneMoreOpensNoIntent() {
        Decision<PursuedCommand.Outcome<Reply>> decision = decide(PreparedSlots.MOST_OF_INTENT + 1);
        assertThat(decision.answer())
                .isInstanceOfSatisfying(
                        PursuedCommand.Outcome.Held.class,
                        held -> assertThat(held.why()).contains("more than 1000"));
        assertThat(decision.records()).isEmpty();
    }

    /** What the other pursuit does is not known, so the client must not take it that nothing was done. */
    @Test
    void aRepeatedRequestOfWhichATryIsUnderWayHasAnUnknownOutcome() {
        Decision<PursuedCommand.Outcome<Reply>> first = decide(1);
        state.replay(first.records());
        long intent = ((PursuedCommand.Outcome.Wanting<Reply>) first.answer())
                .intent()
                .number();

        assertThat(decide(1).answer())
                .isEqualTo(
                        new PursuedCommand.Outcome.Crossed<>("the request is under way already, as intent " + intent));
    }
}
