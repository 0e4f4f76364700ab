package io.steadfs.mds.op.rename;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AncestorsReply;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.StatHandlesReply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Renames as shard 0 of three decides them or sends them on; the others' answers are given by hand.
 *
 * <pre>
 *  /d          here, of all          @d   its handle
 *  /d/file     here                  @1   directory /d/far on shard 1
 *  /d/sub      here, a directory     @2   some directory of shard 2
 *  /d/far      directory on shard 1
 *  /d/leaf     file on shard 1
 * </pre>
 */
class RenameAcrossShardsTest {
    private static final Handle FAR = Handle.of(Handle.shardOwner(1), 0, 100);
    private static final Handle LEAF = Handle.of(Handle.shardOwner(1), 0, 101);
    private static final Handle OTHER = Handle.of(Handle.shardOwner(2), 0, 100);
    private static final Handle MOVED = Handle.of(Handle.shardOwner(2), 0, 101);

    private final Shell shell = new Shell();
    private Handle directory = Handle.ROOT;

    @BeforeEach
    void someNamesLeadToShardOne() {
        shell.cluster = shell.cluster.toBuilder().setShardCount(3).build();
        shell.given("mkdir /d 777; create /d/file 666; mkdir /d/sub 777");
        directory = new Handle(shell.stat("/d").getHandle());
        shell.state.replay(List.of(
                DirentSet.directory(key("far"), FAR),
                DirentSet.file(key("leaf"), LEAF),
                new CountsSet(
                        directory,
                        DirectoryCounts.first(1).toBuilder().setEntries(4).build())));
    }

    private DirentKey key(String name) {
        return DirentKey.of(directory, name);
    }

    /** "/a/b" from the root, "@1/b" from a handle, "@1:b" a name that its shard has resolved, "@1" a handle itself. */
    private Location at(String user, String text) {
        if (text.startsWith("/")) {
            return Shell.at(text);
        }
        Handle start = switch (text.substring(0, 2)) {
            case "@d" -> directory;
            case "@1" -> FAR;
            case "@2" -> OTHER;
            default -> throw new IllegalArgumentException(text);
        };
        String rest = text.length() > 3 ? text.substring(3) : "";
        return text.startsWith(":", 2) ? shell.resolved(user, start, rest) : shell.from(user, start, rest);
    }

    /** A place of a reply, as the client asks for it next. */
    private static Location begun(long start, ByteString token, String path) {
        return start == 0 || new Handle(start).equals(Handle.ROOT)
                ? Location.newBuilder().setPath(path).build()
                : Location.newBuilder()
                        .setStart(start)
                        .setToken(token)
                        .setPath(path)
                        .build();
    }

    private Reply rename(String user, String source, String target, String mode) {
        RenameRequest request = RenameRequest.newBuilder()
                .setSource(at(user, source))
                .setTarget(at(user, target))
                .setMode(RenameRequest.Mode.valueOf(mode))
                .build();
        return shell.decide(new RenamePath(), request, Shell.principal(user));
    }

    private Set<Need> needs(String user, String source, String target, String mode) {
        return Optional.ofNullable(catchThrowableOfType(Missing.class, () -> rename(user, source, target, mode)))
                .map(Missing::needs)
                .orElse(Set.of());
    }

    private void give(Need need, MessageLite body) {
        shell.peerAnswers = shell.peerAnswers.with(Map.of(need, Reply.ok(body)));
    }

    private void refuse(Need need, FsError error) {
        shell.peerAnswers =
                shell.peerAnswers.with(Map.of(need, Reply.refused(Kind.PREPARE, error, "as the test asked")));
    }

    private static final Need.Prepare SOURCE = Prepared.source(OTHER, "x");

    /** Shard 2 holds the name x in @2, a directory of that owner and mode. */
    private void holdSource(Handle object, FileType type, String owner, int mode) {
        give(
                SOURCE,
                PrepareReply.newBuilder()
                        .setAttributes(Attributes.newBuilder()
                                .setHandle(OTHER.value())
                                .setOwner(owner)
                                .setMode(mode))
                        .setObject(object.value())
                        .setObjectType(type)
                        .build());
    }

    private void giveOwner(Handle object, String owner) {
        give(
                Facts.permissions(object.shard(), List.of(object)),
                StatHandlesReply.newBuilder()
                        .addAttributes(Attributes.newBuilder()
                                .setHandle(object.value())
                                .setOwner(owner))
                        .build());
    }

    private void giveWay(Need need, Handle... way) {
        AncestorsReply.Builder reply = AncestorsReply.newBuilder();
        for (Handle each : way) {
            reply.addDirectories(each.value());
        }
        give(need, reply.build());
    }

    private Handle objectAt(String name) {
        return new Handle(
                Dirents.find(shell.state.view(), key(name)).orElseThrow().getHandle());
    }

    /** That shard 0 admits the move of a directory to below these. */
    private static Need.Prepare admitted(Handle moved, Handle... above) {
        return Prepared.move(moved, new TreeSet<>(List.of(above)));
    }

    private List<Notice> notices() {
        return Outbox.notices(shell.state.view(), 1, Optional.empty(), 100);
    }

    @ParameterizedTest
    @CsvSource({
        // source        target        mode            source   target   shard
        "  /d/far/x,     /d/y,         NO_REPLACE,     @1/x,    /d/y,    1",
        "  /d/far/x/y,   /none/t,      OVERWRITE,      @1/x/y,  /none/t, 1",
        "  @1/x/y,       /d/y,         NO_REPLACE,     @1/x/y,  /d/y,    -1",
        "  /d/file,      /d/far/y,     NO_REPLACE,     @d:file, @1/y,    1",
        "  /d/file,      /d/far/a/b,   OVERWRITE,      @d:file, @1/a/b,  1",
        "  /d/file,      /d/far,       INTO_DIRECTORY, @d:file, @1,      1",
        "  /d/leaf,      /d/far,       INTO_DIRECTORY, @d:leaf, @1,      1",
        "  /d/far,       @2/t,         NO_REPLACE,     @d:far,  @2/t,    2",
        "  /d/file,      @2/t/u,       NO_REPLACE,     @d:file, @2/t/u,  2",
        "  @1:x,         /d/far/z,     NO_REPLACE,     @1:x,    @1/z,    1",
        "  @1:x,         @2,           INTO_DIRECTORY, @1:x,    @2,      2",
    })
    void goesOnWithBothPaths(
            String source, String target, String mode, String nextSource, String nextTarget, int shard) {
        Reply reply = rename("root", source, target, mode);
        if (shard < 0) {
            assertThat(reply.error())
                    .as("a source that is not resolved is its shard's")
                    .isEqualTo(FsError.NOT_OWNER);
            return;
        }
        assertThat(reply.error()).isEqualTo(FsError.CONTINUE);
        ReplyHeader header = reply.header();
        assertThat(new Location[] {
                    begun(header.getContinueDirectory(), header.getContinueToken(), header.getContinuePath()),
                    begun(
                            header.getContinueTargetDirectory(),
                            header.getContinueTargetToken(),
                            header.getContinueTargetPath())
                })
                .containsExactly(at("root", nextSource), at("root", nextTarget));
        assertThat(header.getContinueShard()).isEqualTo(shard + 1);
    }

    @ParameterizedTest
    @CsvSource({
        "/d/none,   /d/far/y,     NO_REPLACE,     NOT_FOUND",
        "/none/x,   /d/far/y,     NO_REPLACE,     NOT_FOUND",
        "/d/file/x, /d/far/y,     NO_REPLACE,     NOT_A_DIRECTORY",
        "/,         /d/far/y,     NO_REPLACE,     INVALID_RENAME",
        "/d/file,   /none/y,      NO_REPLACE,     NOT_FOUND",
        "/d/file,   /d/leaf,      NO_REPLACE,     ALREADY_EXISTS",
        "/d/file,   /d/far,       NO_REPLACE,     ALREADY_EXISTS",
        "/d/file,   /d/far,       OVERWRITE,      IS_A_DIRECTORY",
        "/d/sub,    /d/leaf,      OVERWRITE,      NOT_A_DIRECTORY",
        "/d/far,    /d/far,       INTO_DIRECTORY, OK",
        "/d/leaf,   /d/leaf,      OVERWRITE,      OK",
        "/d/leaf,   /d,           INTO_DIRECTORY, OK",
        "/d,        /d/sub/x,     NO_REPLACE,     INVALID_RENAME",
    })
    void isAnsweredWhereEnoughIsKnown(String source, String target, String mode, FsError error) {
        Reply reply = rename("root", source, target, mode);
        assertThat(reply.error()).isEqualTo(error);
        if (reply.isOk()) {
            assertThat(((RenameReply) reply.body()).getMoved()).isFalse();
        }
    }

    /** Its shard may have sent the walk to the directory, and then refused to look the name up. */
    @Test
    void aSourceThatItsShardHasNotResolvedIsRefused() {
        for (String source : List.of("@2/x", "@2:y")) {
            Location at = at("root", source).toBuilder().setPath("x").build();
            RenameRequest request = RenameRequest.newBuilder()
                    .setSource(at)
                    .setTarget(at("root", "/d/y"))
                    .build();
            Reply reply = shell.decide(new RenamePath(), request, Shell.principal("root"));
            assertThat(reply.error()).as(source).isEqualTo(FsError.PERMISSION_DENIED);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/none/y, NO_REPLACE",
        "/d/file/y, NO_REPLACE",
        "/d/file, NO_REPLACE",
        "/, NO_REPLACE",
        "/d/y, OVERWRITE"
    })
    void aMissingSourceComesBeforeWhateverIsWrongWithTheTarget(String target, String mode) {
        assertThat(needs("root", "@2:x", target, mode)).containsExactly(SOURCE);
        refuse(SOURCE, FsError.NOT_FOUND);
        assertThat(rename("root", "@2:x", target, mode).error()).isEqualTo(FsError.NOT_FOUND);
    }

    @ParameterizedTest
    @CsvSource({
        "/none/y,   NO_REPLACE,     NOT_FOUND",
        "/d/file/y, NO_REPLACE,     NOT_A_DIRECTORY",
        "/d/file,   NO_REPLACE,     ALREADY_EXISTS",
        "/d/sub,    OVERWRITE,      IS_A_DIRECTORY",
        "/,         NO_REPLACE,     INVALID_RENAME",
        "/d/y,      NO_REPLACE,     OK",
        "/d/file,   OVERWRITE,      OK",
        "/d/sub,    INTO_DIRECTORY, OK",
    })
    void whatShardTwoHoldsMovesHere(String target, String mode, FsError error) {
        holdSource(MOVED, FileType.FILE, "root", 0700);
        assertThat(rename("root", "@2:x", target, mode).error()).isEqualTo(error);
    }

    @Test
    void theMovedFileIsCountedHereOnly() {
        holdSource(MOVED, FileType.FILE, "root", 0700);
        assertThat(rename("root", "@2:x", "/d/y", "NO_REPLACE").error()).isEqualTo(FsError.OK);
        assertThat(objectAt("y")).isEqualTo(MOVED);
        assertThat(DirectoryCounts.find(shell.state.view(), directory)
                        .orElseThrow()
                        .getEntries())
                .isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({
        "anna, 0300, OK",
        "anna, 0600, PERMISSION_DENIED",
        "anna, 0500, PERMISSION_DENIED",
        "ben, 0770, PERMISSION_DENIED"
    })
    void theSourcesDirectoryIsAskedForWriteAndSearch(String user, String mode, FsError error) {
        holdSource(MOVED, FileType.FILE, "anna", Integer.parseInt(mode, 8));
        assertThat(rename(user, "@2:x", "/d/y", "NO_REPLACE").error()).isEqualTo(error);
    }

    @Test
    void aStickySourceDirectoryAsksWhoseTheFileIs() {
        holdSource(MOVED, FileType.FILE, "root", 01777);
        assertThat(needs("ben", "@2:x", "/d/y", "NO_REPLACE")).containsExactly(Facts.permissions(2, List.of(MOVED)));
        giveOwner(MOVED, "anna");
        assertThat(rename("ben", "@2:x", "/d/y", "NO_REPLACE").error()).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(rename("anna", "@2:x", "/d/y", "NO_REPLACE").error()).isEqualTo(FsError.OK);
    }

    @Test
    void aStickyTargetDirectoryAsksWhoseTheReplacedFileIs() {
        shell.given("chmod 1777 /d");
        holdSource(MOVED, FileType.FILE, "ben", 0700);
        assertThat(needs("ben", "@2:x", "/d/leaf", "OVERWRITE")).containsExactly(Facts.permissions(1, List.of(LEAF)));
        giveOwner(LEAF, "anna");
        assertThat(rename("ben", "@2:x", "/d/leaf", "OVERWRITE").error()).isEqualTo(FsError.PERMISSION_DENIED);
        giveOwner(LEAF, "ben");
        assertThat(rename("ben", "@2:x", "/d/leaf", "OVERWRITE").error()).isEqualTo(FsError.OK);
        assertThat(notices()).containsExactly(new Notice(Notice.Kind.UNLINKED_FILE, LEAF));
    }

    @Test
    void aMoveOfADirectoryIsAdmittedAndItsShardHearsOfIt() {
        holdSource(MOVED, FileType.DIRECTORY, "root", 0700);
        assertThat(needs("root", "@2:x", "/d/y", "NO_REPLACE"))
                .containsExactly(admitted(MOVED, Handle.ROOT, directory));
        give(admitted(MOVED, Handle.ROOT, directory), PrepareReply.getDefaultInstance());
        Need.Prepare parent = Prepared.parent(MOVED, directory);
        assertThat(needs("root", "@2:x", "/d/y", "NO_REPLACE")).containsExactly(parent);
        give(parent, PrepareReply.getDefaultInstance());
        assertThat(rename("root", "@2:x", "/d/y", "NO_REPLACE").error()).isEqualTo(FsError.OK);
        assertThat(objectAt("y")).isEqualTo(MOVED);
    }

    @Test
    void whatReplacesADirectoryElsewhereHasItHeldEmpty() {
        holdSource(MOVED, FileType.DIRECTORY, "root", 0700);
        give(admitted(MOVED, Handle.ROOT, directory), PrepareReply.getDefaultInstance());
        assertThat(needs("root", "@2:x", "/d/far", "OVERWRITE"))
                .containsExactlyInAnyOrder(Prepared.parent(MOVED, directory), Prepared.removal(FAR));
        give(Prepared.parent(MOVED, directory), PrepareReply.getDefaultInstance());
        refuse(Prepared.removal(FAR), FsError.NOT_EMPTY);
        assertThat(rename("root", "@2:x", "/d/far", "OVERWRITE").error()).isEqualTo(FsError.NOT_EMPTY);
        assertThat(objectAt("far")).isEqualTo(FAR);
        give(Prepared.removal(FAR), PrepareReply.getDefaultInstance());
        assertThat(rename("root", "@2:x", "/d/far", "OVERWRITE").error()).isEqualTo(FsError.OK);
        assertThat(objectAt("far")).isEqualTo(MOVED);
        assertThat(notices()).isEmpty();
    }

    /** The way up from @b, a directory of this shard: @b, FAR on shard 1, and what that shard says. */
    @ParameterizedTest
    @CsvSource({
        "moved, INVALID_RENAME",
        "root, OK",
        "moved away, STALE_START",
        "moved in, STALE_START",
        "gone, STALE_START"
    })
    void noDirectoryComesToLieBelowItself(String above, FsError error) {
        Handle below = Handle.of(Handle.shardOwner(0), 0, 500);
        shell.state.replay(List.of(
                new DirectorySet(
                        below,
                        DirectoryRow.newBuilder()
                                .setMode(0777)
                                .setParent(FAR.value())
                                .build()),
                new CountsSet(below, DirectoryCounts.first(1))));
        holdSource(MOVED, FileType.DIRECTORY, "root", 0700);
        give(Prepared.parent(MOVED, below), PrepareReply.getDefaultInstance());
        RenameRequest request = RenameRequest.newBuilder()
                .setSource(at("root", "@2:x"))
                .setTarget(shell.from("root", below, "y"))
                .build();
        assertThat(needs(request)).containsExactly(Facts.ancestors(FAR, false));
        switch (above) {
            case "moved" -> {
                // Rows may be late, so nothing is refused before the move is admitted.
                giveWay(Facts.ancestors(FAR, false), FAR, MOVED, Handle.ROOT);
                give(admitted(MOVED, Handle.ROOT, MOVED, FAR, below), PrepareReply.getDefaultInstance());
                giveWay(Facts.ancestors(FAR, true), FAR, MOVED, Handle.ROOT);
            }
            case "root", "moved away", "moved in" -> {
                giveWay(Facts.ancestors(FAR, false), FAR, directory, Handle.ROOT);
                Need.Prepare admission = admitted(MOVED, Handle.ROOT, directory, FAR, below);
                assertThat(needs(request)).containsExactly(admission);
                give(admission, PrepareReply.getDefaultInstance());
                assertThat(needs(request))
                        .as("once more, now that they stay")
                        .containsExactly(Facts.ancestors(FAR, true));
                switch (above) {
                    case "root" -> giveWay(Facts.ancestors(FAR, true), FAR, directory, Handle.ROOT);
                    case "moved away" -> giveWay(Facts.ancestors(FAR, true), FAR, Handle.ROOT);
                    default -> giveWay(Facts.ancestors(FAR, true), FAR, OTHER);
                }
            }
            default ->
                give(
                        Facts.ancestors(FAR, false),
                        AncestorsReply.newBuilder().setCutOff(true).build());
        }
        assertThat(shell.decide(new RenamePath(), request, Shell.principal("root"))
                        .error())
                .isEqualTo(error);
    }

    private Set<Need> needs(RenameRequest request) {
        return catchThrowableOfType(
                        Missing.class, () -> shell.decide(new RenamePath(), request, Shell.principal("root")))
                .needs();
    }

    @Test
    void aMoveOfADirectoryOfThisShardIsAdmittedToo() {
        shell.given("mkdir /e 777");
        Handle moved = objectAt("sub");
        Need.Prepare admission =
                admitted(moved, Handle.ROOT, new Handle(shell.stat("/e").getHandle()));
        assertThat(needs("root", "/d/sub", "/e/sub", "NO_REPLACE")).containsExactly(admission);
        assertThat(rename("root", "/d/sub", "/d/sub2", "NO_REPLACE").error())
                .as("its parent stays")
                .isEqualTo(FsError.OK);
        give(admission, PrepareReply.getDefaultInstance());
        assertThat(rename("root", "/d/sub2", "/e/sub", "NO_REPLACE").error()).isEqualTo(FsError.OK);
        assertThat(Directories.find(shell.state.view(), moved).orElseThrow().getParent())
                .isEqualTo(shell.stat("/e").getHandle());
    }

    /** The paths were resolved at different times: the same directory cannot have two names. */
    @Test
    void aSourceThatTurnsOutToBeTheTargetBeginsAnew() {
        holdSource(directory, FileType.DIRECTORY, "root", 0700);
        assertThat(rename("root", "@2:x", "@d", "INTO_DIRECTORY").error()).isEqualTo(FsError.STALE_START);
    }
}
