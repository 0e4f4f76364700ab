package io.steadfs.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.RenameMode;
import io.steadfs.client.ScriptedShards;
import io.steadfs.config.ConfigException;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.partition.NameHash;
import io.steadfs.partition.PartitionMap;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.DeleteReply;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Requests with whole paths: which shard is asked first, and where they go on. */
class WholePathsTest {
    private static final Reply DONE = Reply.ok(DeleteReply.getDefaultInstance());
    private static final Map<String, String> DIRECT = Map.of("stead.lookup", "direct");

    private final ScriptedShards shards = new ScriptedShards(DIRECT);

    private void delete(String path) throws FsException {
        shards.await(shards.fs.names().delete(FsPath.parse(path), false));
    }

    private void stat(String path) throws FsException {
        shards.await(shards.fs.attributes().stat(FsPath.parse(path)));
    }

    private static Reply statReply(Handle object, FileType type) {
        return Reply.ok(StatReply.newBuilder()
                .setAttributes(Attributes.newBuilder().setHandle(object.value()).setType(type))
                .build());
    }

    private static Reply sentOn(int shard) {
        return Reply.refused(
                Kind.DELETE, FsError.CONTINUE, ReplyHeader.newBuilder().setContinueShard(shard + 1));
    }

    private static int cold(String directory) {
        return (int) Long.remainderUnsigned(NameHash.of(directory), ScriptedShards.SHARDS);
    }

    /** Each request as "shard: path", with an exclamation mark if the path is not whole. */
    private List<String> asked() {
        List<String> all = shards.asked.stream()
                .map(each -> each.shard() + ": " + text(each.request().body()))
                .toList();
        shards.asked.clear();
        return all;
    }

    private static String text(Object body) {
        return body instanceof DeleteRequest delete
                ? text(delete.getLocation())
                : body instanceof StatRequest stat
                        ? text(stat.getLocation())
                        : text(((RenameRequest) body).getSource()) + " " + text(((RenameRequest) body).getTarget());
    }

    private static String text(Location location) {
        return location.getPath() + (location.getWhole() && location.getStart() == 0 ? "" : "!");
    }

    private Map<String, Long> counters() {
        return shards.fs.counters();
    }

    @Test
    void whatIsNotKnownIsAskedByTheHashOfItsDirectory() throws Exception {
        List<String> directories =
                IntStream.range(0, 12).mapToObj(i -> "d" + i + "/e").toList();
        for (String directory : directories) {
            shards.then(DONE);
            delete(directory + "/f");
            assertThat(asked()).containsExactly(cold(directory) + ": " + directory + "/f");
        }
        assertThat(directories.stream().map(WholePathsTest::cold))
                .as("all shards are asked")
                .contains(0, 1, 2);
    }

    @Test
    void theShardThatAnsweredIsAskedNext() throws Exception {
        int other = (cold("a/b") + 1) % ScriptedShards.SHARDS;
        shards.then(sentOn(other)).then(DONE).then(DONE);
        delete("a/b/f");
        delete("a/b/g");
        assertThat(asked()).containsExactly(cold("a/b") + ": a/b/f", other + ": a/b/f", other + ": a/b/g");
        assertThat(counters())
                .containsEntry("client.lookups.cold", 1L)
                .containsEntry("client.lookups.known", 1L)
                .containsEntry("client.lookups.sent.on", 1L)
                .containsEntry("client.retries", 0L);
    }

    private static final Handle WIDE = Handle.of(Handle.shardOwner(1), 0, 7);

    /** The lower half of the hashes is on shard 1, the upper one on the other shard. */
    private static Reply inPartition(int shard, int upper) {
        PartitionMap map = PartitionMap.of(
                WIDE,
                List.of(
                        new PartitionMap.Partition(0, 1, WIDE),
                        new PartitionMap.Partition(1, 1, Handle.of(Handle.shardOwner(upper), 0, 8))));
        return Reply.refused(
                Kind.DELETE,
                FsError.WRONG_PARTITION,
                ReplyHeader.newBuilder().setContinueShard(shard + 1).setPartitionMap(map.toProto()));
    }

    /** Names of the lower half if the sign is 1, of the upper half if it is -1. */
    private static String name(int sign) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "n" + i)
                .filter(each -> Long.signum(NameHash.of(each)) == sign)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theShardOfTheNamesPartitionIsAsked() throws Exception {
        String low = name(1);
        String high = name(-1);
        shards.then(inPartition(2, 2))
                .then(DONE)
                .then(DONE)
                .then(DONE)
                .then(FsError.NOT_FOUND)
                .then(DONE);
        delete("wide/" + high);
        asked();
        delete("wide/" + low);
        delete("wide/" + high);
        assertThatThrownBy(() -> stat("wide/" + high)).hasMessageContaining("NOT_FOUND");
        delete("wide/" + high + "/deep/f");
        assertThat(asked())
                .containsExactly("1: wide/" + low, "2: wide/" + high, "2: wide/" + high, "2: wide/" + high + "/deep/f");
        assertThat(counters()).containsEntry("client.lookups.sent.on", 1L);
    }

    @Test
    void aMapThatIsOldIsReplaced() throws Exception {
        String high = name(-1);
        shards.then(inPartition(2, 2))
                .then(DONE)
                .then(inPartition(0, 0))
                .then(DONE)
                .then(DONE);
        delete("wide/" + high);
        delete("wide/" + high);
        delete("wide/" + high);
        assertThat(asked()).endsWith("2: wide/" + high, "0: wide/" + high, "0: wide/" + high);
    }

    /** Two shards may each take the other one for the right one. The directory's home shard knows. */
    @Test
    void betweenTwoShardsTheClientPausesAndAsksTheHomeShard() throws Exception {
        String high = name(-1);
        shards.then(inPartition(2, 2))
                .then(inPartition(0, 0))
                .then(inPartition(2, 2))
                .then(DONE);
        delete("wide/" + high);
        assertThat(asked()).endsWith("2: wide/" + high, "0: wide/" + high, "1: wide/" + high);
        assertThat(counters()).containsEntry("client.retries", 1L);
    }

    @Test
    void aMapOfADirectoryThatIsGoneIsForgotten() throws Exception {
        String high = name(-1);
        String low = name(1);
        shards.then(inPartition(2, 2)).then(DONE).then(sentOn(0)).then(DONE).then(DONE);
        delete("wide/" + high);
        delete("wide/" + high);
        delete("wide/" + low);
        assertThat(asked()).endsWith("2: wide/" + high, "0: wide/" + high, "0: wide/" + low);
    }

    @Test
    void theDeepestKnownDirectoryIsAsked() throws Exception {
        int other = (cold("a") + 1) % ScriptedShards.SHARDS;
        shards.then(sentOn(other)).then(DONE).then(DONE);
        delete("a/f");
        delete("a/b/c/g");
        assertThat(asked()).endsWith(other + ": a/b/c/g");
    }

    @Test
    void aHintThatIsOldIsReplaced() throws Exception {
        shards.then(DONE).then(sentOn((cold("a") + 1) % 3)).then(DONE).then(DONE);
        delete("a/f");
        delete("a/f");
        delete("a/f");
        assertThat(asked()).endsWith((cold("a") + 1) % 3 + ": a/f");
    }

    @Test
    void aNameThatIsNotThereTellsWhereItsDirectoryIs() throws Exception {
        int other = (cold("a") + 1) % 3;
        shards.then(sentOn(other)).then(FsError.NOT_FOUND).then(DONE);
        assertThatThrownBy(() -> stat("a/f")).hasMessageContaining("NOT_FOUND");
        delete("a/g");
        assertThat(asked()).endsWith(other + ": a/g");
    }

    @Test
    void anErrorTellsNothing() throws Exception {
        int other = (cold("a") + 1) % 3;
        shards.then(sentOn(other)).then(FsError.PERMISSION_DENIED).then(DONE);
        assertThatThrownBy(() -> delete("a/f")).hasMessageContaining("PERMISSION_DENIED");
        delete("a/g");
        assertThat(asked()).endsWith(cold("a") + ": a/g");
    }

    @Test
    void aDirectoryIsAskedForAtItsOwnShard() throws Exception {
        Handle directory = ScriptedShards.directory((cold("a") + 2) % 3, 5);
        shards.then(statReply(directory, FileType.DIRECTORY)).then(statReply(directory, FileType.DIRECTORY));
        stat("a/d");
        stat("a/d");
        assertThat(asked()).containsExactly(cold("a") + ": a/d", directory.shard() + ": a/d");
        shards.then(DONE);
        delete("a/d");
        assertThat(asked()).as("its name is its parent's").containsExactly(cold("a") + ": a/d");
        shards.then(DONE);
        delete("a/d/f");
        assertThat(asked()).containsExactly(directory.shard() + ": a/d/f");
    }

    @Test
    void aFileOfAnotherShardIsGoneOnWithByItsHandle() throws Exception {
        Handle file = ScriptedShards.directory((cold("a") + 1) % 3, 5);
        int other = (cold("a") + 2) % 3;
        shards.then(sentOn(other)).thenGoOn(file, "").then(statReply(file, FileType.FILE));
        stat("a/f");
        assertThat(asked()).containsExactly(cold("a") + ": a/f", other + ": a/f", file.shard() + ": !");
        shards.then(DONE);
        delete("a/g");
        assertThat(asked()).as("the shard that had the name").containsExactly(other + ": a/g");
    }

    @Test
    void eachShardIsAskedUnderARequestIdOfItsOwn() throws Exception {
        int first = cold("a");
        int other = (first + 1) % 3;
        shards.thenNothing()
                .then(sentOn(other))
                .then(sentOn(first))
                .then(FsError.BUSY)
                .then(DONE);
        delete("a/f");
        assertThat(shards.asked.stream()
                        .map(each -> each.shard() + " "
                                + each.request().header().getRequestId() + " "
                                + each.request().header().getRepeatedTry())
                        .toList())
                .containsExactly(
                        first + " 1 false",
                        first + " 1 true",
                        other + " 2 false",
                        first + " 3 false",
                        first + " 3 false");
    }

    /** Any shard may be asked, so one that is away delays nobody whose directory is elsewhere. */
    @Test
    void whereNobodyAnswersAnotherShardIsAsked() throws Exception {
        int first = cold("a");
        shards.then(FsError.UNREACHABLE).then(FsError.UNAVAILABLE).then(DONE);
        delete("a/f");
        assertThat(asked()).containsExactly(first + ": a/f", (first + 1) % 3 + ": a/f", (first + 2) % 3 + ": a/f");
        Handle file = ScriptedShards.directory(first, 5);
        shards.thenNothing().then(statReply(file, FileType.FILE));
        stat("c/f");
        assertThat(asked()).containsExactly(cold("c") + ": c/f", (cold("c") + 1) % 3 + ": c/f");
    }

    @Test
    void aChangeThatMayHaveBeenDoneIsAskedForWhereItWas() throws Exception {
        shards.thenNothing().then(FsError.UNREACHABLE).then(DONE);
        delete("a/f");
        assertThat(asked()).containsExactly(cold("a") + ": a/f", cold("a") + ": a/f", cold("a") + ": a/f");
    }

    /** The cache leads elsewhere by then. The change may have been done where the first try went. */
    @Test
    void aTryIsRepeatedWhereItWentWhateverTheCacheSaysNow() throws Exception {
        int first = cold("a");
        int other = (first + 1) % 3;
        shards.thenNothing();
        CompletableFuture<Void> slow = shards.fs.names().delete(FsPath.parse("a/f"), false);
        shards.time.runFor(10);
        shards.then(sentOn(other)).then(DONE);
        delete("a/g");
        shards.then(DONE);
        shards.await(slow);
        ScriptedShards.Asked repeated = shards.asked.get(3);
        assertThat(repeated.request().header().getRepeatedTry()).isTrue();
        assertThat(repeated.request().header().getRequestId())
                .isEqualTo(shards.asked.get(0).request().header().getRequestId());
        assertThat(asked()).containsExactly(first + ": a/f", first + ": a/g", other + ": a/g", first + ": a/f");
    }

    /** The first try may arrive a second time, and be done. Under the same id, its answer is then the answer to the second. */
    @Test
    void aStartThatIsGoneIsAskedForAgainUnderTheSameId() throws Exception {
        shards.then(FsError.STALE_START).then(DONE);
        delete("a/f");
        assertThat(requestIds()).containsExactly(1L, 1L);
        assertThat(asked()).containsExactly(cold("a") + ": a/f", cold("a") + ": a/f");
        assertThat(counters()).containsEntry("client.retries", 1L);
    }

    @Test
    void aStartWhoseAnswerIsRecordedIsAskedForAgainUnderAnotherId() throws Exception {
        shards.thenNothing().then(FsError.STALE_START).then(FsError.STALE_START).then(DONE);
        delete("a/f");
        assertThat(requestIds()).containsExactly(1L, 1L, 2L, 2L);
    }

    private List<Long> requestIds() {
        return shards.asked.stream()
                .map(each -> each.request().header().getRequestId())
                .toList();
    }

    @Test
    void endlessHopsAreAFault() {
        for (int hop = 0; hop <= RetryingCall.MAX_HOPS; hop++) {
            shards.then(sentOn(hop % 2));
        }
        assertThatThrownBy(() -> delete("a/f")).hasMessageContaining("FAULT").hasMessageContaining("hop");
    }

    @Test
    void aRenameGoesToTheTargetsDirectory() throws Exception {
        shards.then(Reply.ok(RenameReply.newBuilder().setMoved(true).build()));
        shards.await(shards.fs.names().rename(FsPath.parse("a/f"), FsPath.parse("b/c/g"), RenameMode.NO_REPLACE));
        assertThat(asked()).containsExactly(cold("b/c") + ": a/f b/c/g");
    }

    @Test
    void aRenameTellsWhereTheTargetsDirectoryIsUnlessItMayBeTheTarget() throws Exception {
        int other = (cold("b") + 1) % 3;
        Reply moved = Reply.ok(RenameReply.newBuilder().setMoved(true).build());
        for (RenameMode mode : List.of(RenameMode.INTO_DIRECTORY, RenameMode.NO_REPLACE)) {
            shards.then(sentOn(other)).then(moved);
            shards.await(shards.fs.names().rename(FsPath.parse("a/f"), FsPath.parse("b/g"), mode));
            assertThat(asked()).containsExactly(cold("b") + ": a/f b/g", other + ": a/f b/g");
        }
        shards.then(DONE);
        delete("b/h");
        assertThat(asked()).containsExactly(other + ": b/h");
    }

    @Test
    void namesOfTheRootAreAskedForAtItsShard() throws Exception {
        shards.then(DONE).then(FsError.NOT_FOUND);
        delete("f");
        assertThatThrownBy(() -> stat("g")).hasMessageContaining("NOT_FOUND");
        assertThat(asked()).containsExactly("0: f", "0: g");
    }

    @Test
    void aClientRemembersNoMoreThanItMay() throws Exception {
        ScriptedShards few = new ScriptedShards(Map.of("stead.lookup", "direct", "stead.client.directories", "1"));
        int other = (cold("a") + 1) % 3;
        few.then(sentOn(other)).then(DONE).then(DONE).then(DONE);
        for (String path : List.of("a/f", "c/f", "a/f")) {
            few.await(few.fs.names().delete(FsPath.parse(path), false));
        }
        assertThat(few.asked.get(3).shard()).isEqualTo(cold("a"));
    }

    @Test
    void anotherWayToLookUpIsRefused() {
        Settings settings = Settings.of(Map.of("stead.lookup", "sideways"));
        assertThatThrownBy(() -> settings.get(DirectoryCache.LOOKUP))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("stead.lookup: value 'sideways' is neither 'component' nor 'direct'");
    }
}
