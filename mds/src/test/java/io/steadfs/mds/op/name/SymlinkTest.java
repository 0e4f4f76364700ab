package io.steadfs.mds.op.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.rename.RenamePath;
import io.steadfs.mds.testing.StateCheck;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CreateSymlinkReply;
import io.steadfs.wire.proto.DeleteReply;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.StatReply;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Symbolic links: what a walk does that meets one, and how they are made, moved, shown and removed. */
class SymlinkTest {
    private final Shell shell = new Shell().given("mkdir /d 0777; mkdir /d/sub; create /d/sub/f; symlink sub /d/l");

    @AfterEach
    void everyObjectHasItsNameAndEveryCountIsRight() {
        StateCheck.of(shell.state.view());
    }

    private Attributes link(String path) {
        Reply reply = shell.as("root", "lstat " + path);
        assertThat(reply.error()).as(path).isEqualTo(FsError.OK);
        return ((StatReply) reply.body()).getAttributes();
    }

    @Test
    void aLinkIsShownAsWhatItIs() {
        Reply made = shell.as("anna", "symlink ../x /d/other");
        Attributes link = ((CreateSymlinkReply) made.body()).getAttributes();
        assertThat(link.getType()).isEqualTo(FileType.SYMLINK);
        assertThat(link.getLinkTarget()).isEqualTo("../x");
        assertThat(link.getOwner()).isEqualTo("anna");
        assertThat(link.getGroup()).isEqualTo("supergroup");
        assertThat(link.getMode()).isEqualTo(0777);
        assertThat(link.getLength()).isZero();
        assertThat(link.getModificationTime()).isPositive();
        assertThat(link("/d/other")).isEqualTo(link);
        assertThat(shell.list("/d").getEntriesList())
                .contains(
                        Entry.newBuilder().setName("other").setAttributes(link).build());
        assertThat(shell.stat("/d").getEntries()).isEqualTo(3);
    }

    @ParameterizedTest(name = "{0}: behind the link is {1}")
    @CsvSource({
        "stat /d/l, ''",
        "stat /d/l/f, f",
        "stat /d/l/a/b, a/b",
        "lstat /d/l/f, f",
        "list /d/l, ''",
        "tree /d/l, ''",
        "summary /d/l, ''",
        "create /d/l, ''",
        "create! /d/l, ''",
        "creates /d/l/x/y, x/y",
        "mkdir /d/l, ''",
        "mkdirs /d/l/x/y, x/y",
        "symlink t /d/l/x, x",
        "delete /d/l/f, f",
        "delete-r /d/l/f, f",
        "rename /d/l/f /d/g, f",
        "chmod 0700 /d/l, ''",
        "chown anna /d/l, ''",
        "times 5 /d/l, ''",
        "setx user.a /d/l, ''",
        "rmx user.a /d/l, ''",
        "getx /d/l, ''"
    })
    void whoMeetsALinkIsToldWhereItLeads(String command, String rest) {
        Reply reply = shell.as("root", command);
        assertThat(reply.error()).isEqualTo(FsError.UNRESOLVED_LINK);
        assertThat(reply.header().getMessage()).isEqualTo("/d/l is a symbolic link to sub");
        assertThat(reply.header().getLinkTarget()).isEqualTo("sub");
        assertThat(reply.header().getLinkRest()).isEqualTo(rest);
        assertThat(reply.header().getLinkOfTarget()).isFalse();
    }

    @Test
    void aLinkOnTheWayToTheTargetOfARenameIsToldApart() {
        Reply reply = shell.as("root", "rename /d/sub/f /d/l/g");
        assertThat(reply.error()).isEqualTo(FsError.UNRESOLVED_LINK);
        assertThat(reply.header().getLinkRest()).isEqualTo("g");
        assertThat(reply.header().getLinkOfTarget()).isTrue();
    }

    @Test
    void deletingALinkLeavesWhatItLeadsTo() {
        Reply reply = shell.as("root", "delete /d/l");
        assertThat(((DeleteReply) reply.body()).getType()).isEqualTo(FileType.SYMLINK);
        assertThat(shell.errorOf("root", "lstat /d/l")).isEqualTo(FsError.NOT_FOUND);
        assertThat(shell.stat("/d/sub/f").getType()).isEqualTo(FileType.FILE);
        assertThat(shell.stat("/d").getEntries()).isEqualTo(1);
    }

    @Test
    void aTreeGoesWithItsLinksAndNothingElse() {
        shell.given("mkdir /t; symlink /d/sub /t/l; delete-r /t");
        Handle tree = DeletionQueue.trees(shell.state.view(), Handle.NONE, 10).get(0);
        shell.state.apply(new ReclaimTree(tree, 100).decide(shell.state.view(), shell.inputs()));
        assertThat(DeletionQueue.hasTree(shell.state.view(), tree)).isFalse();
        assertThat(shell.stat("/d/sub/f").getType()).isEqualTo(FileType.FILE);
    }

    @Test
    void aLinkMovesAsItIs() {
        Attributes before = link("/d/l");
        shell.given("mkdir /e; rename /d/l /e/moved");
        assertThat(link("/e/moved")).isEqualTo(before);
        assertThat(shell.errorOf("root", "lstat /d/l")).isEqualTo(FsError.NOT_FOUND);
        shell.given("rename /e/moved /d/sub INTO_DIRECTORY");
        assertThat(link("/d/sub/moved")).isEqualTo(before);
    }

    @Test
    void twoLinksAreTwoObjects() {
        shell.given("symlink sub /d/same");
        assertThat(shell.errorOf("root", "rename /d/l /d/same")).isEqualTo(FsError.ALREADY_EXISTS);
        shell.given("symlink other /d/m; rename /d/l /d/m OVERWRITE");
        assertThat(link("/d/m").getLinkTarget()).isEqualTo("sub");
        assertThat(shell.stat("/d").getEntries()).isEqualTo(3);
    }

    @Test
    void aLinkAndAFileReplaceEachOther() {
        shell.given("create /d/g; rename /d/g /d/l OVERWRITE");
        assertThat(shell.stat("/d/l").getType()).isEqualTo(FileType.FILE);
        shell.given("symlink nowhere /d/m; rename /d/m /d/l OVERWRITE");
        assertThat(link("/d/l").getLinkTarget()).isEqualTo("nowhere");
        assertThat(shell.errorOf("root", "rename /d/sub /d/l OVERWRITE")).isEqualTo(FsError.NOT_A_DIRECTORY);
        assertThat(shell.errorOf("root", "rename /d/l /d/sub OVERWRITE")).isEqualTo(FsError.IS_A_DIRECTORY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/d/x", "x", "./x", "../d/x", "/d/sub/../x", "//x"})
    void aLinkIsNotGivenTheNameToWhichItLeads(String target) {
        boolean isElsewhere = target.startsWith("//");
        shell.given("symlink " + target + " /d/to");
        assertThat(shell.errorOf("root", "rename /d/to /d/x OVERWRITE"))
                .isEqualTo(isElsewhere ? FsError.OK : FsError.ALREADY_EXISTS);
    }

    @ParameterizedTest
    @CsvSource({
        // Into the directory to which it leads: there it leads on.
        "/d/sub, /e/l, /d/sub, INTO_DIRECTORY, OK",
        "/d/sub/l, /e/l, /d/sub, INTO_DIRECTORY, ALREADY_EXISTS",
        // From its new name it would lead to itself.
        "x, /e/l, /d/x, OVERWRITE, ALREADY_EXISTS",
        "x, /e/l, /d/y, OVERWRITE, OK",
        "l, /e/x, /d/sub, INTO_DIRECTORY, OK",
        "x, /e/x, /d/sub, INTO_DIRECTORY, ALREADY_EXISTS"
    })
    void aLinkIsNotGivenANameAtWhichItLeadsToItself(
            String target, String name, String to, String mode, FsError outcome) {
        shell.given("mkdir /e; create /d/x");
        shell.given("symlink " + target + " " + name);
        assertThat(shell.errorOf("root", "rename " + name + " " + to + " " + mode))
                .isEqualTo(outcome);
    }

    @Test
    void whoMayNotMoveALinkLearnsNothingOfItsTarget() {
        shell.given("symlink /d/sub/x /d/sub/l");
        assertThat(shell.errorOf("cleo", "rename /d/sub/l /d/sub/x")).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(shell.errorOf("cleo", "rename /d/sub/l /d/sub/y")).isEqualTo(FsError.PERMISSION_DENIED);
    }

    @ParameterizedTest
    @CsvSource({"'', /d/x", "/, /d/x", "/d/l, ''"})
    void aRequestMayLeaveTheTextsOfItsPathsOut(String source, String target) {
        RenameRequest request = RenameRequest.newBuilder()
                .setSource(Shell.at("/d/l"))
                .setTarget(Shell.at("/d/x"))
                .setSourcePath(source)
                .setTargetPath(target)
                .build();
        assertThat(shell.decide(new RenamePath(), request, Shell.principal("root"))
                        .error())
                .isEqualTo(FsError.OK);
    }

    @Test
    void nobodyMakesALinkWhereHeMayNotWriteOrWhereSomethingIs() {
        assertThat(shell.errorOf("cleo", "symlink x /d/sub/x")).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(shell.errorOf("root", "symlink x /d/l")).isEqualTo(FsError.ALREADY_EXISTS);
        assertThat(shell.errorOf("root", "symlink x /d/sub/f")).isEqualTo(FsError.ALREADY_EXISTS);
        assertThat(shell.errorOf("root", "symlink x /d/sub")).isEqualTo(FsError.IS_A_DIRECTORY);
        assertThat(shell.errorOf("root", "symlink x /d/none/x")).isEqualTo(FsError.NOT_FOUND);
        assertThat(shell.errorOf("root", "symlink x /")).isEqualTo(FsError.IS_A_DIRECTORY);
    }

    @Test
    void aTargetIsNotEmptyAndHasABound() {
        assertThat(shell.errorOf("root", "symlink  /d/empty")).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(shell.errorOf("root", "symlink a\0b /d/nul")).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(shell.errorOf("root", "symlink " + "x".repeat(8000) + " /d/longest"))
                .isEqualTo(FsError.OK);
        assertThat(shell.errorOf("root", "symlink " + "x".repeat(8001) + " /d/longer"))
                .isEqualTo(FsError.NAME_TOO_LONG);
    }

    @Test
    void inAStickyDirectoryALinkBelongsToItsMaker() {
        shell.given("mkdir /tmp 01777");
        assertThat(shell.errorOf("anna", "symlink x /tmp/l")).isEqualTo(FsError.OK);
        assertThat(shell.errorOf("ben", "delete /tmp/l")).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(shell.errorOf("ben", "rename /tmp/l /tmp/m")).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(shell.errorOf("anna", "delete /tmp/l")).isEqualTo(FsError.OK);
    }

    @Test
    void aSummaryLeavesLinksOut() {
        assertThat(shell.summary("/d").getFiles()).isEqualTo(1);
        assertThat(shell.summary("/d").getDirectories()).isEqualTo(2);
    }
}
