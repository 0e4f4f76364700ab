package io.steadfs.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.steadfs.client.RenameMode;
import io.steadfs.client.ScriptedShards;
import io.steadfs.cluster.HomeShard;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DeleteReply;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A change on its way over several shards. */
class LegsTest {
    private static final Handle ON_1 = ScriptedShards.directory(1, 5);
    private static final Handle ON_2 = ScriptedShards.directory(2, 6);
    private static final Reply DONE = Reply.ok(DeleteReply.getDefaultInstance());

    private final ScriptedShards shards = new ScriptedShards(ScriptedShards.BY_COMPONENT);

    private void delete(String path) throws FsException {
        shards.await(shards.fs.names().delete(FsPath.parse(path), false));
    }

    /** Each request for a change as "shard: request id, start/path", with an exclamation mark if it says repeated. */
    private List<String> legs() {
        return shards.asked.stream()
                .map(each -> {
                    Location location = ((DeleteRequest) each.request().body()).getLocation();
                    var header = each.request().header();
                    String start = location.getStart() == 0 ? "" : new Handle(location.getStart()).toString();
                    return each.shard() + ": " + header.getRequestId() + ", " + start + "/" + location.getPath()
                            + (header.getRepeatedTry() ? " !" : "");
                })
                .toList();
    }

    @Test
    void onlyAnUnansweredTryOfTheSameLegMakesARepeatedOne() throws Exception {
        shards.thenNothing()
                .then(FsError.BUSY)
                .thenGoOn(ON_1, "b/f")
                .then(FsError.BUSY)
                .thenGoOn(ON_2, "f")
                .thenNothing()
                .then(DONE);
        delete("a/b/f");
        assertThat(legs())
                .containsExactly(
                        "0: 1, /a/b/f",
                        "0: 1, /a/b/f !",
                        "0: 1, /a/b/f !",
                        "1: 1, " + ON_1 + "/b/f",
                        "1: 1, " + ON_1 + "/b/f",
                        "2: 1, " + ON_2 + "/f",
                        "2: 1, " + ON_2 + "/f !");
    }

    @Test
    void aLegThatWasLeftIsNotInDoubt() {
        shards.thenNothing().thenGoOn(ON_1, "f");
        shards.otherwise = java.util.Optional.of(Reply.refused(Kind.DELETE, FsError.BUSY, "always"));
        FsException refusal = catchThrowableOfType(FsException.class, () -> delete("a/f"));
        assertThat(refusal.error()).isEqualTo(FsError.BUSY);
        assertThat(refusal).hasMessageContaining("not done in time");
    }

    @Test
    void aWalkWhoseWayWentBeginsAnewAsAnotherRequest() throws Exception {
        shards.thenGoOn(ON_1, "f")
                .thenNothing()
                .then(FsError.STALE_START)
                .thenGoOn(ON_2, "f")
                .then(DONE);
        delete("a/f");
        assertThat(legs())
                .containsExactly(
                        "0: 1, /a/f",
                        "1: 1, " + ON_1 + "/f",
                        "1: 1, " + ON_1 + "/f !",
                        "0: 2, /a/f",
                        "2: 2, " + ON_2 + "/f");
        assertThat(shards.asked.get(4).request().header().getLowestUnanswered()).isEqualTo(2);
        assertThat(shards.fs.counters()).containsEntry("client.retries", 2L);
    }

    /**
     * The partition to which a leg led has split since. The shard would say the same again for this request. Tokens are for
     * one request, so another one begins at the root.
     */
    @Test
    void aWalkThatComesBackToARecordedAnswerBeginsAnewAsAnotherRequest() throws Exception {
        shards.thenGoOn(ON_1, "f")
                .thenNothing()
                .thenGoOn(ON_2, "f")
                .thenGoOn(ON_1, "f")
                .thenGoOn(ON_2, "f")
                .then(DONE);
        delete("a/f");
        assertThat(legs())
                .containsExactly(
                        "0: 1, /a/f",
                        "1: 1, " + ON_1 + "/f",
                        "1: 1, " + ON_1 + "/f !",
                        "2: 1, " + ON_2 + "/f",
                        "0: 2, /a/f",
                        "2: 2, " + ON_2 + "/f");
    }

    @Test
    void aRecordedAnswerThatLeadsToItselfIsAskedForAsAnotherRequest() throws Exception {
        shards.thenGoOn(ON_1, "f")
                .thenNothing()
                .thenGoOn(ON_1, "f")
                .thenGoOn(ON_1, "f")
                .then(DONE);
        delete("a/f");
        assertThat(legs())
                .containsExactly(
                        "0: 1, /a/f",
                        "1: 1, " + ON_1 + "/f",
                        "1: 1, " + ON_1 + "/f !",
                        "0: 2, /a/f",
                        "1: 2, " + ON_1 + "/f");
    }

    @Test
    void walksThatComeBackToRecordedAnswersAreGivenUp() {
        for (int walk = 0; walk < RetryingCall.MAX_WALKS; walk++) {
            shards.thenGoOn(ON_1, "f").thenNothing().thenGoOn(ON_1, "f");
        }
        assertThatThrownBy(() -> delete("a/f"))
                .hasMessageContaining("FAULT")
                .hasMessageContaining("hop 2 of walk " + RetryingCall.MAX_WALKS);
        assertThat(shards.asked).hasSize(3 * RetryingCall.MAX_WALKS);
    }

    /** Nothing is kept of an answer to a first try. */
    @Test
    void anAnswerThatIsNotRecordedIsAskedForAsTheSameRequest() throws Exception {
        shards.thenGoOn(ON_1, "f")
                .thenGoOn(ON_1, "f")
                .thenGoOn(ON_2, "f")
                .thenGoOn(ON_1, "f")
                .then(DONE);
        delete("a/f");
        assertThat(legs())
                .containsExactly(
                        "0: 1, /a/f",
                        "1: 1, " + ON_1 + "/f",
                        "1: 1, " + ON_1 + "/f",
                        "2: 1, " + ON_2 + "/f",
                        "1: 1, " + ON_1 + "/f");
    }

    @Test
    void aWayThatAlwaysGoesIsGivenUp() {
        for (int walk = 0; walk < RetryingCall.MAX_WALKS; walk++) {
            shards.thenGoOn(ON_1, "f").then(FsError.STALE_START);
        }
        FsException refusal = catchThrowableOfType(FsException.class, () -> delete("a/f"));
        assertThat(refusal.error()).isEqualTo(FsError.STALE_START);
        assertThat(shards.asked).hasSize(2 * RetryingCall.MAX_WALKS);
    }

    @Test
    void anotherDirectoryOfTheSameShardIsAskedForAtOnceTheSameOneAfterAPause() throws Exception {
        Handle other = ScriptedShards.directory(1, 9);
        shards.thenGoOn(ON_1, "b/f").thenGoOn(other, "f").then(DONE);
        delete("a/b/f");
        assertThat(legs()).containsExactly("0: 1, /a/b/f", "1: 1, " + ON_1 + "/b/f", "1: 1, " + other + "/f");
        assertThat(shards.fs.counters()).containsEntry("client.retries", 0L);

        shards.thenGoOn(ON_1, "f").thenGoOn(ON_1, "f").then(DONE);
        delete("a/f");
        assertThat(shards.fs.counters()).containsEntry("client.retries", 1L);
    }

    @Test
    void bouncesHaveABound() {
        for (int hop = 0; hop <= RetryingCall.MAX_HOPS; hop++) {
            shards.thenGoOn(hop % 2 == 0 ? ON_1 : ON_2, "f");
        }
        assertThatThrownBy(() -> delete("a/f")).hasMessageContaining("FAULT").hasMessageContaining("hop");
        assertThat(shards.asked).hasSize(RetryingCall.MAX_HOPS + 1);
    }

    @Test
    void aRenameGoesOnWithBothPathsWhereTheReplySays() throws Exception {
        shards.then(Reply.refused(
                        Kind.RENAME,
                        FsError.CONTINUE,
                        ReplyHeader.newBuilder()
                                .setContinueDirectory(ON_1.value())
                                .setContinuePath("s")
                                .setContinueTargetPath("b/t")
                                .setContinueShard(2)))
                .then(Reply.refused(
                        Kind.RENAME,
                        FsError.CONTINUE,
                        ReplyHeader.newBuilder()
                                .setContinueDirectory(ON_1.value())
                                .setContinuePath("s")
                                .setContinueTargetDirectory(ON_2.value())
                                .setContinueTargetPath("t")
                                .setContinueShard(3)))
                .then(FsError.STALE_START)
                .then(Reply.ok(RenameReply.newBuilder().setMoved(true).build()));
        boolean moved =
                shards.await(shards.fs.names().rename(FsPath.parse("a/s"), FsPath.parse("b/t"), RenameMode.OVERWRITE));
        assertThat(moved).isTrue();
        assertThat(shards.asked).extracting(ScriptedShards.Asked::shard).containsExactly(0, 1, 2, 0);
        assertThat(shards.asked.stream()
                        .map(each -> (RenameRequest) each.request().body()))
                .containsExactly(
                        rename(0, "a/s", 0, "b/t"),
                        rename(ON_1.value(), "s", 0, "b/t"),
                        rename(ON_1.value(), "s", ON_2.value(), "t"),
                        rename(0, "a/s", 0, "b/t"));
    }

    private static RenameRequest rename(long sourceStart, String source, long targetStart, String target) {
        return RenameRequest.newBuilder()
                .setSource(Location.newBuilder().setStart(sourceStart).setPath(source))
                .setTarget(Location.newBuilder().setStart(targetStart).setPath(target))
                .setMode(RenameRequest.Mode.OVERWRITE)
                .setSourcePath("/a/s")
                .setTargetPath("/b/t")
                .build();
    }

    @Test
    void closingTellsEveryShardThatWasAskedForAChange() throws Exception {
        shards.thenGoOn(ON_2, "f").then(DONE);
        delete("a/f");
        long session = shards.asked.get(0).request().header().getSession();
        shards.await(shards.fs.close());
        Set<Integer> expected = new TreeSet<>(Set.of(0, 2));
        expected.add(HomeShard.of(session, ScriptedShards.SHARDS));
        assertThat(shards.closed).extracting(ScriptedShards.Asked::shard).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(shards.closed)
                .allSatisfy(
                        each -> assertThat(each.request().header().getSession()).isEqualTo(session));
    }

    @Test
    void closingDoesNotFailWhereAShardIsGone() throws Exception {
        shards.thenGoOn(ON_2, "f").then(DONE);
        delete("a/f");
        shards.network.crash(ScriptedShards.address(2));
        shards.await(shards.fs.close());
        assertThat(shards.closed).isNotEmpty();
    }
}
