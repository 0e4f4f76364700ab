package io.steadfs.mds.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.Clearing;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.handle.HandleSequence;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.op.intent.NotifyObjects;
import io.steadfs.mds.op.list.ListTree;
import io.steadfs.mds.op.list.LookUp;
import io.steadfs.mds.op.list.ReplacedNames;
import io.steadfs.mds.op.list.StatHandles;
import io.steadfs.mds.op.name.CheckTree;
import io.steadfs.mds.op.name.CreateFile;
import io.steadfs.mds.op.name.Mkdirs;
import io.steadfs.mds.op.name.ReclaimTree;
import io.steadfs.mds.op.name.TreeCheck;
import io.steadfs.mds.op.rename.Ancestors;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AncestorsReply;
import io.steadfs.wire.proto.AncestorsRequest;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CheckTreeReply;
import io.steadfs.wire.proto.CheckTreeRequest;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.IntentStatusReply;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.ListTreeRequest;
import io.steadfs.wire.proto.LookUpReply;
import io.steadfs.wire.proto.LookUpRequest;
import io.steadfs.wire.proto.MakeDirectory;
import io.steadfs.wire.proto.MkdirsReply;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.NotifyRequest;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.StatHandlesReply;
import io.steadfs.wire.proto.StatHandlesRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decisions of shard 0 of three that depend on the other two, whose answers are given by hand. */
class AcrossShardsTest {
    /** On shard 1: file /d/far-file of anna, directory /d/far-dir of anna. */
    private static final Handle FAR_FILE = Handle.of(Handle.shardOwner(1), 0, 100);

    private static final Handle FAR_DIR = Handle.of(Handle.shardOwner(1), 0, 101);
    private static final Handle NEW_DIR = Handle.of(Handle.shardOwner(1), 0, 102);
    private static final LockRow LOCK =
            LockRow.newBuilder().setCoordinator(2).setIntent(5).setSlot(1).build();

    private final Shell shell = new Shell();
    private Handle directory = Handle.ROOT;

    @BeforeEach
    void someNamesLeadToShardOne() {
        shell.cluster = shell.cluster.toBuilder().setShardCount(3).build();
        shell.given("mkdir /d 777; create /d/file 666; mkdir /d/sub 777");
        directory = new Handle(shell.stat("/d").getHandle());
        shell.state.replay(List.of(
                DirentSet.file(key("far-file"), FAR_FILE),
                DirentSet.directory(key("far-dir"), FAR_DIR),
                new CountsSet(
                        directory,
                        DirectoryCounts.first(1).toBuilder().setEntries(4).build())));
    }

    private DirentKey key(String name) {
        return DirentKey.of(directory, name);
    }

    private void lock(String name) {
        DirentRow row = Dirents.find(shell.state.view(), key(name)).orElseThrow();
        shell.state.replay(
                List.of(new DirentSet(key(name), row.toBuilder().setLock(LOCK).build())));
    }

    private void give(Need need, MessageLite body) {
        give(need, Reply.ok(body));
    }

    private void give(Need need, Reply reply) {
        shell.peerAnswers = shell.peerAnswers.with(Map.of(need, reply));
    }

    private void refuse(Need.Prepare need, FsError error) {
        give(need, Reply.refused(Kind.PREPARE, error, "as the test asked"));
    }

    private void giveAttributes(Handle object, String owner, int mode) {
        give(
                Facts.permissions(object.shard(), List.of(object)),
                StatHandlesReply.newBuilder()
                        .addAttributes(attributes(object, owner, mode))
                        .build());
    }

    private static Attributes attributes(Handle object, String owner, int mode) {
        return Attributes.newBuilder()
                .setHandle(object.value())
                .setType(object.equals(FAR_FILE) ? FileType.FILE : FileType.DIRECTORY)
                .setOwner(owner)
                .setGroup("staff")
                .setMode(mode)
                .build();
    }

    private void giveVerdict(IntentStatusReply.State state) {
        give(Facts.verdict(LOCK), IntentStatusReply.newBuilder().setState(state).build());
    }

    private Set<Need> needs(String user, String command) {
        return Optional.ofNullable(catchThrowableOfType(Missing.class, () -> shell.as(user, command)))
                .map(Missing::needs)
                .orElse(Set.of());
    }

    private List<Notice> notices() {
        return Outbox.notices(shell.state.view(), 1, Optional.empty(), 100);
    }

    private boolean has(String name) {
        return Dirents.find(shell.state.view(), key(name)).isPresent();
    }

    private long entries() {
        return DirectoryCounts.find(shell.state.view(), directory).orElseThrow().getEntries();
    }

    // ---- paths and objects elsewhere ----

    @ParameterizedTest
    @CsvSource({
        "stat /d/far-file, true",
        "chmod 600 /d/far-file, true",
        "setx user.a /d/far-file, true",
        "rmx user.a /d/far-file, true",
        "getx /d/far-file, true",
        "stat /d/far-dir, false",
        "list /d/far-dir, false",
        "tree /d/far-dir, false",
        "mkdir /d/far-dir, false"
    })
    void whatIsAskedOfAnObjectGoesOnToIt(String command, boolean file) {
        Reply reply = shell.as("root", command);
        assertThat(reply.error()).isEqualTo(FsError.CONTINUE);
        assertThat(reply.header().getContinueDirectory()).isEqualTo((file ? FAR_FILE : FAR_DIR).value());
        assertThat(reply.header().getContinuePath()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"OPEN, OK", "UNDONE, OK", "COMMITTED, NOT_FOUND", "FORGOTTEN, BUSY"})
    void aHeldNameIsThereAsItsCoordinatorSays(IntentStatusReply.State state, FsError error) {
        lock("file");
        lock("sub");
        assertThat(needs("anna", "stat /d/file")).containsExactly(Facts.verdict(LOCK));
        assertThat(needs("anna", "list /d")).contains(Facts.verdict(LOCK));
        giveVerdict(state);
        assertThat(shell.errorOf("anna", "stat /d/file")).isEqualTo(error);
        assertThat(shell.errorOf("anna", "stat /d/sub/x"))
                .isEqualTo(state == IntentStatusReply.State.FORGOTTEN ? FsError.BUSY : FsError.NOT_FOUND);
        if (error != FsError.BUSY) {
            giveThere(FAR_FILE, FAR_DIR);
            assertThat(shell.list("/d").getEntriesCount()).isEqualTo(error == FsError.OK ? 4 : 2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "create! /d/file",
        "create /d/file",
        "delete /d/file",
        "delete-r /d/sub",
        "mkdir /d/sub",
        "rename /d/file /d/other",
        "rename /d/new /d/file",
        "rename /d/new /d/sub INTO_DIRECTORY"
    })
    void whoeverChangesAHeldNameWaits(String command) {
        shell.given("create /d/new");
        lock("file");
        lock("sub");
        Reply reply = shell.as("root", command);
        assertThat(reply.error()).isEqualTo(FsError.BUSY);
        assertThat(reply.header().getMessage()).contains("/d/");
    }

    /** Whatever the other shard says: it may be untrue when the change is durable. */
    @ParameterizedTest
    @CsvSource({
        "OPEN, mkdirs /d/sub/x/y",
        "COMMITTED, mkdirs /d/sub/x/y",
        "OPEN, chmod 700 /d/sub",
        "OPEN, rename /d/file /d/sub/x"
    })
    void whatIsBelowAHeldNameIsNotChanged(IntentStatusReply.State state, String command) {
        lock("sub");
        giveVerdict(state);
        assertThat(shell.errorOf("root", command)).isEqualTo(FsError.BUSY);
        assertThat(Dirents.find(shell.state.view(), key("sub")).orElseThrow().getLock())
                .as("the lock stays")
                .isEqualTo(LOCK);
    }

    @ParameterizedTest
    @CsvSource({
        "create /d/sub/x, BUSY",
        "mkdirs /d/sub/x/y, BUSY",
        "rename /d/file /d/sub/x, BUSY",
        "stat /d/sub, OK",
        "list /d/sub, OK"
    })
    void nothingComesIntoADirectoryThatIsBeingRemoved(String command, FsError error) {
        Handle sub = new Handle(shell.stat("/d/sub").getHandle());
        DirectoryRow row = Directories.find(shell.state.view(), sub).orElseThrow();
        shell.state.replay(
                List.of(new DirectorySet(sub, row.toBuilder().setLock(LOCK).build())));
        assertThat(shell.errorOf("root", command)).isEqualTo(error);
    }

    // ---- new directories ----

    private Reply mkdirs(String path, boolean parents) {
        MkdirsRequest request = MkdirsRequest.newBuilder()
                .setLocation(Shell.at(path))
                .setMode(0750)
                .setParentMode(0755)
                .setCreateParents(parents)
                .build();
        return shell.decide(new Mkdirs(2), request, Shell.principal("root"));
    }

    /** A name that placement puts on the shard. */
    private static String nameOn(int shard, Handle parent, int depth) {
        return PlacedName.on(shard, 3, parent, depth);
    }

    private static Need.Prepare made(String owner, int mode, int depth, Handle parent) {
        return Prepared.directory(
                1,
                MakeDirectory.newBuilder()
                        .setParent(parent.value())
                        .setMode(mode)
                        .setOwner(owner)
                        .setGroup("supergroup")
                        .setDepth(depth)
                        .build());
    }

    @Test
    void aDirectoryOfAnotherShardIsPreparedThere() {
        String name = nameOn(1, Handle.ROOT, 1);
        Need.Prepare need = made("root", 0750, 1, Handle.ROOT);
        assertThat(catchThrowableOfType(Missing.class, () -> mkdirs("/" + name, false))
                        .needs())
                .containsExactly(need);
        give(
                need,
                PrepareReply.newBuilder()
                        .setAttributes(attributes(NEW_DIR, "root", 0750))
                        .build());
        Reply reply = mkdirs("/" + name, false);
        assertThat(((MkdirsReply) reply.body()).getAttributes().getHandle()).isEqualTo(NEW_DIR.value());
        DirentKey key = DirentKey.of(Handle.ROOT, name);
        assertThat(Dirents.find(shell.state.view(), key).orElseThrow().getHandle())
                .isEqualTo(NEW_DIR.value());
        assertThat(DirectoryCounts.find(shell.state.view(), Handle.ROOT)
                        .orElseThrow()
                        .getEntries())
                .isEqualTo(2);
    }

    @Test
    void whatIsBelowItIsMadeByTheNextLeg() {
        String name = nameOn(1, Handle.ROOT, 1);
        give(
                made("root", 0755, 1, Handle.ROOT),
                PrepareReply.newBuilder()
                        .setAttributes(attributes(NEW_DIR, "root", 0755))
                        .build());
        Reply reply = mkdirs("/" + name + "/x/y", true);
        assertThat(reply.error()).isEqualTo(FsError.CONTINUE);
        assertThat(reply.header().getContinueDirectory()).isEqualTo(NEW_DIR.value());
        assertThat(reply.header().getContinuePath()).isEqualTo("x/y");
    }

    /** /h belongs here; what is next in it belongs on shard 1: made from h, known by then. */
    @Test
    void whatBelongsHereIsMadeBeforeTheNextLeg() {
        String here = nameOn(0, Handle.ROOT, 1);
        Handle next = Handle.of(Handle.shardOwner(0), 0, Math.max(1, HandleSequence.next(shell.state.view(), 0)));
        String far = nameOn(1, next, 2);
        CreateRequest request = CreateRequest.newBuilder()
                .setLocation(Shell.at("/" + here + "/" + far + "/f"))
                .setMode(0644)
                .setParentMode(0755)
                .setCreateParents(true)
                .build();
        Reply reply = shell.decide(new CreateFile(2), request, Shell.principal("root"));
        assertThat(reply.error()).isEqualTo(FsError.CONTINUE);
        assertThat(reply.header().getContinueDirectory()).isEqualTo(next.value());
        assertThat(reply.header().getContinuePath()).isEqualTo(far + "/f");
        assertThat(shell.stat("/" + here).getEntries()).isZero();
        DirectoryRow row = Directories.find(shell.state.view(), next).orElseThrow();
        assertThat(row.getDepth()).isEqualTo(1);
    }

    // ---- files elsewhere ----

    @Test
    void aReplacedFileElsewhereIsToldToItsShard() {
        assertThat(needs("ben", "create! /d/far-file")).containsExactly(Facts.permissions(1, List.of(FAR_FILE)));
        giveAttributes(FAR_FILE, "anna", 0644);
        assertThat(shell.errorOf("ben", "create! /d/far-file")).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(notices()).isEmpty();
        assertThat(shell.errorOf("anna", "create! /d/far-file")).isEqualTo(FsError.OK);
        assertThat(notices()).containsExactly(new Notice(Notice.Kind.UNLINKED_FILE, FAR_FILE));
        assertThat(entries()).isEqualTo(4);
    }

    @Test
    void aDeletedFileElsewhereIsToldToItsShard() {
        shell.given("chmod 1777 /d");
        giveAttributes(FAR_FILE, "anna", 0644);
        assertThat(shell.errorOf("ben", "delete /d/far-file")).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(shell.errorOf("anna", "delete /d/far-file")).isEqualTo(FsError.OK);
        assertThat(notices()).containsExactly(new Notice(Notice.Kind.UNLINKED_FILE, FAR_FILE));
        assertThat(has("far-file")).isFalse();
        assertThat(entries()).isEqualTo(3);
    }

    // ---- directories elsewhere ----

    @ParameterizedTest
    @CsvSource({"NOT_EMPTY", "STALE_START"})
    void aDirectoryElsewhereThatCannotBeHeldStays(FsError error) {
        refuse(Prepared.removal(FAR_DIR), error);
        Reply reply = shell.as("root", "delete /d/far-dir");
        assertThat(reply.error()).isEqualTo(error);
        assertThat(reply.header().getMessage()).contains("/d/far-dir", "as the test asked");
        assertThat(has("far-dir")).isTrue();
    }

    @Test
    void anEmptyDirectoryElsewhereGoesWhileItIsHeld() {
        assertThat(needs("anna", "delete /d/far-dir")).containsExactly(Prepared.removal(FAR_DIR));
        give(Prepared.removal(FAR_DIR), PrepareReply.getDefaultInstance());
        assertThat(shell.errorOf("anna", "delete /d/far-dir")).isEqualTo(FsError.OK);
        assertThat(has("far-dir")).isFalse();
        assertThat(notices()).isEmpty();
    }

    @Test
    void aTreeElsewhereIsCutOffAndToldToItsShard() {
        assertThat(shell.errorOf("root", "delete-r /d/far-dir")).isEqualTo(FsError.OK);
        assertThat(notices()).containsExactly(new Notice(Notice.Kind.CUT_TREE, FAR_DIR));
    }

    @Test
    void whoMayNotDeleteWhatIsBelowDoesNot() {
        Need.Ask top = Facts.treePermission(TreeCheck.directory(FAR_DIR, "/d/far-dir"));
        Handle deeper = Handle.of(Handle.shardOwner(2), 0, 7);
        Need.Ask below = Facts.treePermission(TreeCheck.directory(deeper, "/d/far-dir/x"));
        assertThat(needs("ben", "delete-r /d/far-dir")).containsExactly(top);
        give(
                top,
                CheckTreeReply.newBuilder()
                        .addElsewhere(TreeCheck.directory(deeper, "/d/far-dir/x"))
                        .build());
        assertThat(needs("ben", "delete-r /d/far-dir")).containsExactly(below);
        give(below, Reply.refused(Kind.CHECK_TREE, FsError.PERMISSION_DENIED, "no"));
        assertThat(shell.errorOf("ben", "delete-r /d/far-dir")).isEqualTo(FsError.PERMISSION_DENIED);
        give(below, CheckTreeReply.getDefaultInstance());
        assertThat(shell.errorOf("ben", "delete-r /d/far-dir")).isEqualTo(FsError.OK);
        assertThat(notices()).containsExactly(new Notice(Notice.Kind.CUT_TREE, FAR_DIR));
    }

    @Test
    void aTreeOfThisShardIsLookedAtWhereverItIs() {
        Need.Ask far = Facts.treePermission(TreeCheck.directory(FAR_DIR, "/d/far-dir"));
        assertThat(needs("ben", "delete-r /d")).containsExactly(far);
        give(far, Reply.refused(Kind.CHECK_TREE, FsError.PERMISSION_DENIED, "no"));
        assertThat(shell.errorOf("ben", "delete-r /d")).isEqualTo(FsError.PERMISSION_DENIED);
    }

    @Test
    void aClearedTreeTellsOtherShardsOfTheirs() {
        lock("sub");
        shell.state.replay(List.of(new TreeQueued(directory)));
        assertThat(clear()).isEqualTo(Clearing.HELD);
        assertThat(notices())
                .containsExactlyInAnyOrder(
                        new Notice(Notice.Kind.UNLINKED_FILE, FAR_FILE), new Notice(Notice.Kind.CUT_TREE, FAR_DIR));
        assertThat(has("file")).isFalse();
        assertThat(has("sub")).as("held by a rename").isTrue();
        assertThat(clear()).isEqualTo(Clearing.HELD);
        DirentRow row = Dirents.find(shell.state.view(), key("sub")).orElseThrow();
        shell.state.replay(
                List.of(new DirentSet(key("sub"), row.toBuilder().clearLock().build())));
        assertThat(clear()).isEqualTo(Clearing.DONE);
        assertThat(Directories.find(shell.state.view(), directory)).isEmpty();
    }

    private Clearing clear() {
        return shell.state.apply(new ReclaimTree(directory, 100).decide(shell.state.view(), shell.inputs()));
    }

    // ---- listings ----

    @Test
    void aListingAsksEachShardOnceAndLeavesOutWhatIsGone() {
        Set<Need> needs = needs("anna", "list /d");
        assertThat(needs).hasSize(1);
        Need.Ask ask = (Need.Ask) needs.iterator().next();
        assertThat(((StatHandlesRequest) ask.body()).getHandlesList())
                .containsExactlyInAnyOrder(FAR_FILE.value(), FAR_DIR.value());
        give(
                ask,
                StatHandlesReply.newBuilder()
                        .addAttributes(attributes(FAR_DIR, "anna", 0700))
                        .build());
        assertThat(needs("anna", "list /d")).containsExactly(lookUp(FAR_FILE));
        give(lookUp(FAR_FILE), LookUpReply.getDefaultInstance());
        assertThat(shell.list("/d").getEntriesList())
                .extracting(Entry::getName)
                .containsExactlyInAnyOrder("file", "sub", "far-dir");
    }

    /** After the name that led to it. */
    private Need.Ask lookUp(Handle before) {
        return Facts.lookUp(
                0,
                LookUpRequest.newBuilder()
                        .addNames(LookUpRequest.Name.newBuilder()
                                .setDirectory(directory.value())
                                .setName("far-file")
                                .setBefore(before.value()))
                        .build());
    }

    private static Handle successor(int number) {
        return Handle.of(Handle.shardOwner(2), 0, 200 + number);
    }

    private void giveThere(Handle... there) {
        Set<Need> needs = needs("anna", "list /d");
        assertThat(needs).hasSize(1);
        StatHandlesReply.Builder reply = StatHandlesReply.newBuilder();
        for (Handle each : there) {
            reply.addAttributes(attributes(each, "anna", 0700));
        }
        give(needs.iterator().next(), reply.build());
    }

    private void giveReplaced(Handle before, Handle now) {
        give(
                lookUp(before),
                LookUpReply.newBuilder()
                        .addFound(LookUpReply.Found.newBuilder().setObject(now.value()))
                        .build());
    }

    @Test
    void aListingLooksAgainAtANameThatWasReplaced() {
        giveThere(FAR_DIR);
        giveReplaced(FAR_FILE, successor(1));
        assertThat(needs("anna", "list /d")).containsExactly(Facts.attributes(2, List.of(successor(1)), false));
        giveThere();
        giveReplaced(successor(1), successor(2));
        giveThere(successor(2));
        Map<String, Long> listed = new HashMap<>();
        shell.list("/d")
                .getEntriesList()
                .forEach(entry ->
                        listed.put(entry.getName(), entry.getAttributes().getHandle()));
        assertThat(listed)
                .containsOnlyKeys("file", "sub", "far-dir", "far-file")
                .containsEntry("far-file", successor(2).value());
    }

    @Test
    void aNameThatIsReplacedInEveryLookIsTriedAgain() {
        giveThere(FAR_DIR);
        Handle before = FAR_FILE;
        for (int look = 0; look < ReplacedNames.MOST_LOOKS; look++) {
            giveReplaced(before, successor(look));
            giveThere();
            before = successor(look);
        }
        Reply reply = shell.as("anna", "list /d");
        assertThat(reply.error()).isEqualTo(FsError.BUSY);
        assertThat(reply.header().getMessage()).contains("far-file");
    }

    @Test
    void namesAreLookedUpInTheNewestState() {
        LookUpRequest request = LookUpRequest.newBuilder()
                .addNames(LookUpRequest.Name.newBuilder()
                        .setDirectory(directory.value())
                        .setName("gone")
                        .setBefore(1))
                .addNames(LookUpRequest.Name.newBuilder()
                        .setDirectory(directory.value())
                        .setName("far-dir")
                        .setBefore(FAR_DIR.value()))
                .addNames(LookUpRequest.Name.newBuilder()
                        .setDirectory(directory.value())
                        .setName("far-file")
                        .setBefore(1))
                .build();
        Reply reply = shell.ask(new LookUp(), request, Shell.principal("anna"));
        assertThat(((LookUpReply) reply.body()).getFoundList())
                .containsExactly(LookUpReply.Found.newBuilder()
                        .setIndex(2)
                        .setObject(FAR_FILE.value())
                        .build());
        lock("far-file");
        assertThatThrownBy(() -> shell.ask(new LookUp(), request, Shell.principal("anna")))
                .isInstanceOf(Missing.class);
        giveVerdict(IntentStatusReply.State.COMMITTED);
        assertThat(((LookUpReply) shell.ask(new LookUp(), request, Shell.principal("anna"))
                                .body())
                        .getFoundList())
                .isEmpty();
        LookUpRequest far = LookUpRequest.newBuilder()
                .addNames(LookUpRequest.Name.newBuilder().setDirectory(FAR_DIR.value()))
                .build();
        assertThat(shell.ask(new LookUp(), far, Shell.principal("anna")).error())
                .isEqualTo(FsError.NOT_OWNER);
    }

    @Test
    void aTreeListingMarksDirectoriesToListElsewhere() {
        Need.Ask file = Facts.attributes(1, List.of(FAR_FILE), false);
        give(
                file,
                StatHandlesReply.newBuilder()
                        .addAttributes(attributes(FAR_FILE, "anna", 0600))
                        .build());
        ListTreeRequest request =
                ListTreeRequest.newBuilder().setLocation(Shell.at("/d")).build();
        Reply reply = shell.ask(new ListTree(), request, Shell.principal("anna"));
        Map<String, Entry> entries = new HashMap<>();
        ((ListTreeReply) reply.body()).getEntriesList().forEach(entry -> entries.put(entry.getName(), entry));
        assertThat(entries).containsOnlyKeys("file", "far-file", "far-dir");
        Entry far = Optional.ofNullable(entries.get("far-dir")).orElseThrow();
        assertThat(far.getElsewhere()).isTrue();
        assertThat(far.getAttributes().getHandle()).isEqualTo(FAR_DIR.value());
    }

    @Test
    void aSummaryOverSeveralShardsIsTheClientsToMake() {
        assertThat(shell.errorOf("anna", "summary /d")).isEqualTo(FsError.NOT_SUPPORTED);
        assertThat(shell.errorOf("anna", "summary /d/sub")).isEqualTo(FsError.OK);
    }

    // ---- what other shards ask ----

    @Test
    void objectsAreDescribedByHandle() {
        Handle file = new Handle(shell.stat("/d/file").getHandle());
        StatHandlesRequest request = StatHandlesRequest.newBuilder()
                .addHandles(file.value())
                .addHandles(Handle.of(Handle.shardOwner(0), 0, 999).value())
                .addHandles(directory.value())
                .build();
        StatHandlesReply reply = (StatHandlesReply)
                shell.ask(new StatHandles(), request, Shell.principal("cleo")).body();
        assertThat(reply.getAttributesList())
                .extracting(Attributes::getHandle)
                .containsExactly(file.value(), directory.value());
        StatHandlesRequest far =
                StatHandlesRequest.newBuilder().addHandles(FAR_FILE.value()).build();
        assertThat(shell.ask(new StatHandles(), far, Shell.principal("cleo")).error())
                .isEqualTo(FsError.NOT_OWNER);
    }

    private AncestorsReply ancestors(Handle from) {
        AncestorsRequest request =
                AncestorsRequest.newBuilder().setDirectory(from.value()).build();
        return (AncestorsReply)
                shell.ask(new Ancestors(), request, Shell.principal("anna")).body();
    }

    @Test
    void theWayUpEndsAtTheRootOrAtAnotherShard() {
        Handle sub = new Handle(shell.stat("/d/sub").getHandle());
        assertThat(ancestors(sub).getDirectoriesList())
                .containsExactly(sub.value(), directory.value(), Handle.ROOT.value());
        Handle belowFar = Handle.of(Handle.shardOwner(0), 0, 500);
        shell.state.replay(List.of(new DirectorySet(
                belowFar, DirectoryRow.newBuilder().setParent(FAR_DIR.value()).build())));
        assertThat(ancestors(belowFar).getDirectoriesList()).containsExactly(belowFar.value(), FAR_DIR.value());
        shell.state.replay(List.of(new TreeQueued(directory)));
        assertThat(ancestors(sub).getCutOff()).isTrue();
        assertThat(ancestors(Handle.of(Handle.shardOwner(0), 0, 999)).getCutOff())
                .isTrue();
    }

    @Test
    void anotherShardsDeleteIsCheckedByTheSameRules() {
        shell.given("create /d/sub/x; chmod 700 /d/sub");
        CheckTreeRequest request = CheckTreeRequest.newBuilder()
                .setDirectory(directory.value())
                .setPath("/up/d")
                .build();
        Reply refused = shell.ask(new CheckTree(), request, Shell.principal("ben"));
        assertThat(refused.error()).isEqualTo(FsError.PERMISSION_DENIED);
        assertThat(refused.header().getMessage()).contains("/up/d/sub");
        shell.given("chmod 777 /d/sub");
        CheckTreeReply reply = (CheckTreeReply)
                shell.ask(new CheckTree(), request, Shell.principal("ben")).body();
        assertThat(reply.getElsewhereList()).containsExactly(TreeCheck.directory(FAR_DIR, "/up/d/far-dir"));
    }

    @Test
    void whatIsToldAgainIsDoneAlready() {
        Handle file = new Handle(shell.stat("/d/file").getHandle());
        NotifyRequest request = NotifyRequest.newBuilder()
                .addUnlinkedFiles(file.value())
                .addUnlinkedFiles(file.value())
                .addCutTrees(directory.value())
                .addCutTrees(Handle.of(Handle.shardOwner(0), 0, 999).value())
                .build();
        for (int i = 0; i < 2; i++) {
            assertThat(shell.decide(new NotifyObjects(), request, Shell.principal("root"))
                            .error())
                    .isEqualTo(FsError.OK);
            assertThat(DeletionQueue.trees(shell.state.view(), Handle.NONE, 9)).containsExactly(directory);
        }
    }

    @Test
    void whatCanNeverBeHereHoldsUpNothingElse() {
        Handle file = new Handle(shell.stat("/d/file").getHandle());
        Handle sub = new Handle(shell.stat("/d/sub").getHandle());
        NotifyRequest request = NotifyRequest.newBuilder()
                .addUnlinkedFiles(FAR_FILE.value())
                .addUnlinkedFiles(file.value())
                .addCutTrees(FAR_DIR.value())
                .addCutTrees(Handle.ROOT.value())
                .addCutTrees(sub.value())
                .addLinkedFiles(FAR_FILE.value())
                .addLinkedGroups("staff")
                .build();
        assertThat(shell.decide(new NotifyObjects(), request, Shell.principal("root"))
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(Metafiles.find(shell.state.view(), file)).isEmpty();
        assertThat(DeletionQueue.trees(shell.state.view(), Handle.NONE, 9)).containsExactly(sub);
    }
}
