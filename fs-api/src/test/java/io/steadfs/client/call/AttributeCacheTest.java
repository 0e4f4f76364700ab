package io.steadfs.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.ScriptedShards;
import io.steadfs.client.list.FileInfo;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.DeleteReply;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.SetAttributesReply;
import io.steadfs.wire.proto.StatReply;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client with an expiry of attributes asks a server for, and what it answers from what it was told. */
class AttributeCacheTest {
    private static final long EXPIRY_MILLIS = 1_000;

    private final ScriptedShards shards = new ScriptedShards(settings(EXPIRY_MILLIS));

    private static Map<String, String> settings(long expiryMillis) {
        Map<String, String> settings = new HashMap<>(ScriptedShards.BY_COMPONENT);
        settings.put("stead.client.attributes.expiry", Long.toString(expiryMillis));
        return settings;
    }

    private static Reply told(int mode, boolean open) {
        return Reply.ok(
                StatReply.newBuilder().setAttributes(attributes(mode, open)).build());
    }

    private static Attributes.Builder attributes(int mode, boolean open) {
        return Attributes.newBuilder()
                .setHandle(ScriptedShards.directory(0, 7).value())
                .setType(FileType.DIRECTORY)
                .setOpen(open)
                .setMode(mode);
    }

    private CompletableFuture<FileInfo> begin(String path) throws FsException {
        return shards.fs.attributes().stat(FsPath.parse(path));
    }

    private int mode(String path) throws FsException {
        return shards.await(begin(path)).mode();
    }

    private void pass(long millis) {
        long until = shards.time.monotonicNanos() + millis * 1_000_000;
        shards.time.after(millis, () -> {});
        shards.time.runUntil("time passes", () -> shards.time.monotonicNanos() >= until, 2 * millis);
    }

    @Test
    void withoutExpiryEachStatIsAsked() throws FsException {
        ScriptedShards always = new ScriptedShards(settings(0));
        always.then(told(1, false)).then(told(2, false));
        FsPath path = FsPath.parse("/a");
        assertThat(always.await(always.fs.attributes().stat(path)).mode()).isEqualTo(1);
        assertThat(always.await(always.fs.attributes().stat(path)).mode()).isEqualTo(2);
    }

    @Test
    void whatWasToldIsGoodUntilItExpires() throws FsException {
        shards.then(told(1, false)).then(told(2, false));
        assertThat(mode("/a")).isEqualTo(1);
        assertThat(mode("/a")).isEqualTo(1);
        assertThat(shards.await(shards.fs.attributes().find(FsPath.parse("/a")))
                        .orElseThrow()
                        .mode())
                .isEqualTo(1);
        assertThat(shards.asked).hasSize(1);
        assertThat(shards.fs.counters()).containsEntry("client.attributes.kept", 2L);
        pass(EXPIRY_MILLIS);
        assertThat(mode("/a")).isEqualTo(2);
    }

    @Test
    void fileThatIsOpenAndNameThatIsMissingAreAskedAgain() throws FsException {
        shards.then(told(1, true)).then(told(2, true)).then(FsError.NOT_FOUND).then(told(3, false));
        assertThat(mode("/a")).isEqualTo(1);
        assertThat(mode("/a")).isEqualTo(2);
        assertThatThrownBy(() -> mode("/b")).hasMessageContaining("NOT_FOUND");
        assertThat(mode("/b")).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "/a/b/c, /a/b/c, true",
        "/a/b/c, /a/b/c/d/e, true",
        "/a/b/c, /a/b, true",
        "/a/b/c, /, true",
        "/a/b/c, /a/b/cc, false",
        "/a/b/c, /a/b/d, false",
        "/a/b/c, /a/b/c.d, false"
    })
    void ownChangeIsSeenAtOnce(String changed, String kept, boolean isAskedAgain) throws FsException {
        shards.then(told(1, false))
                .then(Reply.ok(DeleteReply.getDefaultInstance()))
                .then(told(2, false));
        assertThat(mode(kept)).isEqualTo(1);
        shards.await(shards.fs.names().delete(FsPath.parse(changed), true));
        assertThat(mode(kept)).isEqualTo(isAskedAgain ? 2 : 1);
    }

    @Test
    void ownRenameForgetsBothPaths() throws FsException {
        shards.then(told(1, false))
                .then(told(1, false))
                .then(Reply.ok(RenameReply.newBuilder().setMoved(true).build()))
                .then(told(2, false))
                .then(told(2, false));
        assertThat(mode("/a/x")).isEqualTo(1);
        assertThat(mode("/b")).isEqualTo(1);
        shards.await(shards.fs.names().rename(FsPath.parse("/a"), FsPath.parse("/b"), RenameMode.OVERWRITE));
        assertThat(mode("/a/x")).isEqualTo(2);
        assertThat(mode("/b")).isEqualTo(2);
    }

    /** The answer may be older than the change. */
    @Test
    void answerToAQuestionFromBeforeAnOwnChangeIsNotKept() throws FsException {
        shards.thenNothing()
                .then(Reply.ok(SetAttributesReply.newBuilder()
                        .setAttributes(attributes(2, false))
                        .build()))
                .then(told(1, false))
                .then(told(2, false));
        CompletableFuture<FileInfo> slow = begin("/a");
        shards.time.runUntil("the stat is asked", () -> shards.asked.size() == 1, 1_000);
        shards.await(shards.fs.attributes().setAttributes(FsPath.parse("/a"), AttributeChange.mode(2)));
        assertThat(shards.await(slow).mode()).isEqualTo(1);
        assertThat(mode("/a")).isEqualTo(2);
    }
}
