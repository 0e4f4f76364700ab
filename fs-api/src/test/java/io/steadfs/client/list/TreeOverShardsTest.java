package io.steadfs.client.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.steadfs.client.ScriptedShards;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.Layout;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.ListTreeRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Trees whose directories are on several shards. */
class TreeOverShardsTest {
    private static final Handle ON_1 = ScriptedShards.directory(1, 5);
    private static final Handle ON_2 = ScriptedShards.directory(2, 6);
    private static final Handle BELOW = ScriptedShards.directory(0, 7);

    private final ScriptedShards shards = new ScriptedShards();

    /** A page of files by name, of directories elsewhere by their handles. */
    private static final class PageOf {
        private final ListTreeReply.Builder reply = ListTreeReply.newBuilder();

        PageOf file(String name, long length) {
            reply.addEntriesBuilder()
                    .setName(name)
                    .setAttributes(Attributes.newBuilder()
                            .setHandle(
                                    Handle.of(Handle.FIRST_SHARD_OWNER, 0, 100).value())
                            .setType(FileType.FILE)
                            .setLength(length)
                            .setLayout(Layout.newBuilder()
                                    .setWidth(1)
                                    .setStripSize(1 << 20)
                                    .setReplicas(2)
                                    .addServers(1)
                                    .addServers(2)
                                    .addDatafiles(0)
                                    .addDatafiles(0)));
            return this;
        }

        PageOf directory(String name) {
            reply.addEntriesBuilder()
                    .setName(name)
                    .setAttributes(Attributes.newBuilder()
                            .setHandle(
                                    Handle.of(Handle.FIRST_SHARD_OWNER, 0, 101).value())
                            .setType(FileType.DIRECTORY));
            return this;
        }

        PageOf elsewhere(String name, Handle directory) {
            reply.addEntriesBuilder()
                    .setName(name)
                    .setElsewhere(true)
                    .setAttributes(
                            Attributes.newBuilder().setType(FileType.DIRECTORY).setHandle(directory.value()));
            return this;
        }

        Reply last() {
            return Reply.ok(reply.build());
        }

        Reply withMore(String cursor) {
            return Reply.ok(reply.setCursor(ByteString.copyFromUtf8(cursor)).build());
        }
    }

    private static Reply refused(FsError error) {
        return Reply.refused(Kind.LIST_TREE, error, "as the script says");
    }

    private List<String> list(boolean wantDirectories) throws FsException {
        Listing listing = shards.fs.lists().listTree(FsPath.parse("top"), wantDirectories);
        List<String> names = new ArrayList<>();
        while (!listing.isOver()) {
            shards.await(listing.next()).forEach(entry -> names.add(entry.name()));
        }
        return names;
    }

    /** Each question as "shard: start/path cursor". */
    private List<String> asked() {
        return shards.asked.stream()
                .map(each -> {
                    ListTreeRequest request = (ListTreeRequest) each.request().body();
                    long start = request.getLocation().getStart();
                    return each.shard() + ": " + (start == 0 ? "" : new Handle(start)) + "/"
                            + request.getLocation().getPath() + " "
                            + request.getCursor().toStringUtf8();
                })
                .toList();
    }

    private void script() {
        shards.then(new PageOf()
                        .file("f", 1)
                        .elsewhere("a", ON_1)
                        .elsewhere("b", ON_2)
                        .withMore("b"))
                .then(new PageOf().file("g", 10).elsewhere("deep/c", BELOW).withMore("deep/c"))
                .then(new PageOf().file("h", 100).last())
                .then(new PageOf().directory("d").file("d/i", 1000).last())
                .then(new PageOf().last())
                .then(new PageOf().file("z", 10_000).last());
    }

    @Test
    void partsElsewhereAreListedThereUnderTheirNames() throws Exception {
        script();
        assertThat(list(true)).containsExactly("f", "a", "b", "a/g", "a/deep/c", "a/deep/c/h", "a/d", "a/d/i", "z");
        assertThat(asked())
                .containsExactly(
                        "0: /top ",
                        "1: " + ON_1 + "/ ",
                        "0: " + BELOW + "/ ",
                        "1: " + ON_1 + "/ deep/c",
                        "2: " + ON_2 + "/ ",
                        "0: /top b");
    }

    @Test
    void directoriesElsewhereAreEntriesOnlyWhereWanted() throws Exception {
        shards.then(new PageOf().elsewhere("a", ON_1).last())
                .then(new PageOf().file("f", 1).last());
        assertThat(list(false)).containsExactly("a/f");
    }

    @Test
    void aPartThatIsGoneIsEmptyButOneThatIsForbiddenFails() throws Exception {
        shards.then(new PageOf().elsewhere("a", ON_1).elsewhere("b", ON_2).last())
                .then(refused(FsError.STALE_START))
                .then(refused(FsError.NOT_FOUND));
        assertThat(list(true)).containsExactly("a", "b");

        shards.then(new PageOf().elsewhere("a", ON_1).last()).then(refused(FsError.PERMISSION_DENIED));
        FsException refusal = catchThrowableOfType(FsException.class, () -> list(true));
        assertThat(refusal.error()).isEqualTo(FsError.PERMISSION_DENIED);

        shards.then(refused(FsError.NOT_FOUND));
        refusal = catchThrowableOfType(FsException.class, () -> list(true));
        assertThat(refusal.error()).isEqualTo(FsError.NOT_FOUND);
    }

    @Test
    void aFailedPageMayBeAskedForAgain() throws Exception {
        shards.then(new PageOf().file("f", 1).withMore("f"))
                .then(refused(FsError.IO_ERROR))
                .then(new PageOf().file("g", 1).last());
        Listing listing = shards.fs.lists().listTree(FsPath.parse("top"), true);
        assertThat(shards.await(listing.next())).hasSize(1);
        FsException refusal = catchThrowableOfType(FsException.class, () -> shards.await(listing.next()));
        assertThat(refusal.error()).isEqualTo(FsError.IO_ERROR);
        assertThat(shards.await(listing.next())).extracting(Entry::name).containsExactly("g");
        assertThat(listing.isOver()).isTrue();
    }

    @Test
    void sumsAreMadeOfTheListing() throws Exception {
        script();
        ContentSummary summary = shards.await(shards.fs.lists().contentSummary(FsPath.parse("top")));
        assertThat(summary).isEqualTo(new ContentSummary(11_111, 5, 5, 22_222));
    }

    @Test
    void aFileAndAnEmptyDirectoryAreSummedUpToo() throws Exception {
        shards.then(new PageOf().file("", 5).last());
        assertThat(shards.await(shards.fs.lists().contentSummary(FsPath.parse("f"))))
                .isEqualTo(new ContentSummary(5, 1, 0, 10));
        shards.then(new PageOf().last());
        assertThat(shards.await(shards.fs.lists().contentSummary(FsPath.parse("d"))))
                .isEqualTo(new ContentSummary(0, 0, 1, 0));
    }
}
