package io.steadfs.mds.op.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.deletion.QueuedDatafile;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.intent.NotifyObjects;
import io.steadfs.mds.op.list.StatHandles;
import io.steadfs.mds.op.session.ExpireSession;
import io.steadfs.mds.op.session.FenceSessions;
import io.steadfs.mds.op.write.AttachDatafiles;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.outbox.Told;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.session.FileCount;
import io.steadfs.mds.session.FileLinked;
import io.steadfs.mds.session.FileUnlinked;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.SessionRemoved;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.mds.session.UnlinkedRemoval;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.StateCheck;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AbandonMetafileRequest;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CreateMetafileReply;
import io.steadfs.wire.proto.CreateMetafileRequest;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.FenceSessionsReply;
import io.steadfs.wire.proto.FenceSessionsRequest;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.LinkReply;
import io.steadfs.wire.proto.LinkRequest;
import io.steadfs.wire.proto.NotifyRequest;
import io.steadfs.wire.proto.StatHandlesReply;
import io.steadfs.wire.proto.StatHandlesRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Metafiles that are made without a name: made, linked, taken back, told of, fenced. */
class UnlinkedFileTest {
    private static final Handle ELSEWHERE = Handle.of(Handle.shardOwner(1), 0, 7);
    private static final UnlinkedRemoval REMOVED_ONE = new UnlinkedRemoval(1, Optional.empty());

    private final Shell shell =
            new Shell().given("mkdir /d 777; chgrp staff /d; mkdir /mine 700; create /d/old; mkdir /d/sub");

    private Attributes make(String user) {
        CreateMetafileRequest request =
                CreateMetafileRequest.newBuilder().setMode(0640).build();
        return ((CreateMetafileReply) shell.decide(new CreateMetafile(), request, Shell.principal(user))
                        .body())
                .getAttributes();
    }

    private Reply link(Principal principal, Handle file, String path, boolean overwrite, boolean createParents) {
        return shell.decide(
                new LinkFile(0),
                LinkRequest.newBuilder()
                        .setLocation(Shell.at(path))
                        .setMetafile(file.value())
                        .setOverwrite(overwrite)
                        .setCreateParents(createParents)
                        .setParentMode(0755)
                        .build(),
                principal);
    }

    private Reply link(String user, Handle file, String path) {
        return link(Shell.principal(user), file, path, false, false);
    }

    private Reply notifyLinked(Handle file, String group) {
        return shell.decide(
                new NotifyObjects(),
                NotifyRequest.newBuilder()
                        .addLinkedFiles(file.value())
                        .addLinkedGroups(group)
                        .build(),
                Shell.principal("root"));
    }

    private MetafileRow row(Handle file) {
        return Metafiles.find(shell.state.view(), file).orElseThrow();
    }

    private static Handle handle(Attributes attributes) {
        return new Handle(attributes.getHandle());
    }

    @Test
    void hasAWriterAndNoName() {
        Attributes made = make("anna");
        assertThat(made.getOwner()).isEqualTo("anna");
        assertThat(made.getGroup()).isEmpty();
        assertThat(made.getMode()).isEqualTo(0640);
        assertThat(made.getOpen()).isTrue();
        assertThat(made.getLayout().getDatafilesList()).containsExactly(0L, 0L);
        assertThat(row(handle(made)).getUnlinkedSession()).isEqualTo(Shell.SESSION);
        assertThat(OpenFiles.of(shell.state.view(), Shell.SESSION, 9)).contains(handle(made));
        StateCheck state = StateCheck.of(shell.state.view());
        assertThat(state.unlinked()).containsExactly(handle(made));
        assertThat(state.paths()).containsExactly("/d/", "/d/old", "/d/sub/", "/mine/");
    }

    @Test
    void theLinkGivesItNameAndGroup() {
        Handle file = handle(make("anna"));
        Reply linked = link("anna", file, "/d/f");
        assertThat(((LinkReply) linked.body()).getGroup()).isEqualTo("staff");
        assertThat(shell.stat("/d/f").getHandle()).isEqualTo(file.value());
        assertThat(shell.stat("/d/f").getGroup()).isEqualTo("staff");
        assertThat(shell.stat("/d").getEntries()).isEqualTo(3);
        assertThat(StateCheck.of(shell.state.view()).unlinked()).isEmpty();
        assertThat(Outbox.count(shell.state.view(), 9)).isZero();
        assertThat(link("anna", file, "/d/f").error()).as("the same again").isEqualTo(FsError.OK);
        assertThat(link("anna", file, "/d/g").error()).as("another name").isEqualTo(FsError.INVALID_ARGUMENT);
    }

    /** Whatever a create of this name would be answered, the link is. */
    @ParameterizedTest
    @CsvSource({
        "anna, /d/new,        false, false, OK",
        "anna, /d/old,        false, false, ALREADY_EXISTS",
        "anna, /d/old,        true,  false, PERMISSION_DENIED",
        "root, /d/old,        true,  false, OK",
        "root, /d/sub,        true,  false, IS_A_DIRECTORY",
        "anna, /mine/f,       false, false, PERMISSION_DENIED",
        "root, /d/p/q/f,      false, false, NOT_FOUND",
        "root, /d/p/q/f,      false, true,  OK",
        "root, /d/old/f,      false, true,  NOT_A_DIRECTORY",
        "root, /,             false, true,  IS_A_DIRECTORY",
    })
    void theNameFollowsTheRulesOfCreate(
            String user, String path, boolean overwrite, boolean createParents, FsError expected) {
        Shell other = new Shell().given("mkdir /d 777; chgrp staff /d; mkdir /mine 700; create /d/old; mkdir /d/sub");
        Reply created = other.decide(
                new CreateFile(0),
                CreateRequest.newBuilder()
                        .setLocation(Shell.at(path))
                        .setOverwrite(overwrite)
                        .setCreateParents(createParents)
                        .setParentMode(0755)
                        .build(),
                Shell.principal(user));
        Handle file = handle(make(user));

        Reply linked = link(Shell.principal(user), file, path, overwrite, createParents);

        assertThat(linked.error()).isEqualTo(expected).isEqualTo(created.error());
        StateCheck state = StateCheck.of(shell.state.view());
        assertThat(state.paths()).isEqualTo(StateCheck.of(other.state.view()).paths());
        assertThat(state.unlinked()).hasSize(linked.isOk() ? 0 : 1);
    }

    @Test
    void onlyItsMakerLinksItOrTakesItBack() {
        Handle file = handle(make("anna"));
        Principal stranger = new Principal("anna", Set.of(), false, Shell.SESSION + 1);
        assertThat(link(stranger, file, "/d/f", false, false).error()).isEqualTo(FsError.NOT_WRITER);
        AbandonMetafileRequest abandon =
                AbandonMetafileRequest.newBuilder().setMetafile(file.value()).build();
        assertThat(shell.decide(new AbandonMetafile(), abandon, stranger).error())
                .isEqualTo(FsError.NOT_WRITER);
        link("anna", file, "/d/f");
        assertThat(shell.decide(new AbandonMetafile(), abandon, Shell.principal("anna"))
                        .error())
                .as("it has a name")
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(shell.stat("/d/f").getHandle()).isEqualTo(file.value());
    }

    @Test
    void takenBackWithAllThatWasMadeForIt() {
        Attributes made = make("anna");
        Handle file = handle(made);
        Handle attached = Handle.of(1, 0, 5);
        Handle unattached = Handle.of(2, 0, 6);
        shell.decide(
                new AttachDatafiles(),
                AttachRequest.newBuilder()
                        .setMetafile(file.value())
                        .setWriteGeneration(made.getWriteGeneration())
                        .addColumns(AttachedColumn.newBuilder().setDatafile(attached.value()))
                        .build(),
                Shell.principal("anna"));
        AbandonMetafileRequest abandon = AbandonMetafileRequest.newBuilder()
                .setMetafile(file.value())
                .addDatafiles(attached.value())
                .addDatafiles(unattached.value())
                .build();

        assertThat(shell.decide(new AbandonMetafile(), abandon, Shell.principal("anna"))
                        .error())
                .isEqualTo(FsError.OK);

        assertThat(Metafiles.find(shell.state.view(), file)).isEmpty();
        assertThat(DeletionQueue.datafiles(shell.state.view(), 1, QueuedDatafile.NONE, 9))
                .containsExactly(new QueuedDatafile(attached, file));
        assertThat(DeletionQueue.datafiles(shell.state.view(), 2, QueuedDatafile.NONE, 9))
                .containsExactly(new QueuedDatafile(unattached, file));
        assertThat(StateCheck.of(shell.state.view()).unlinked()).isEmpty();
        assertThat(link("anna", file, "/d/f").error()).isEqualTo(FsError.NOT_FOUND);
        assertThat(shell.decide(new AbandonMetafile(), abandon, Shell.principal("anna"))
                        .error())
                .isEqualTo(FsError.NOT_FOUND);
    }

    @Test
    void theShardOfAFileElsewhereIsTold() {
        shell.cluster = FixedInputs.CLUSTER.toBuilder().setShardCount(2).build();
        elsewhereMadeBy(Shell.SESSION);
        assertThat(link("anna", ELSEWHERE, "/d/far").error()).isEqualTo(FsError.OK);
        assertThat(Outbox.notices(shell.state.view(), 1, Optional.empty(), 9))
                .containsExactly(Notice.linked(ELSEWHERE, "staff"));
        Handle unknown = Handle.of(Handle.shardOwner(2), 0, 7);
        assertThat(link("anna", unknown, "/d/none").error())
                .as("two shards are known; perhaps one was added")
                .isEqualTo(FsError.STALE_EPOCH);
        Handle none = Handle.of(Handle.shardOwner(256), 0, 7);
        assertThat(link("anna", none, "/d/none").error())
                .as("no file system has so many")
                .isEqualTo(FsError.INVALID_ARGUMENT);
    }

    /** What shard 1 says of the file there; 0 = it has a name. */
    private void elsewhereMadeBy(long session) {
        StatHandlesReply.Builder reply = StatHandlesReply.newBuilder()
                .addAttributes(
                        Attributes.newBuilder().setHandle(ELSEWHERE.value()).setType(FileType.FILE));
        if (session != 0) {
            reply.addUnlinked(StatHandlesReply.Unlinked.newBuilder()
                    .setMetafile(ELSEWHERE.value())
                    .setSession(session));
        }
        elsewhere(reply.build());
    }

    private void elsewhere(StatHandlesReply reply) {
        shell.peerAnswers =
                PeerAnswers.none().with(Map.of(Facts.attributes(1, List.of(ELSEWHERE), false), Reply.ok(reply)));
    }

    @Test
    void aFileElsewhereIsAskedAfterAndLinkedOnce() {
        shell.cluster = FixedInputs.CLUSTER.toBuilder().setShardCount(2).build();
        assertThatThrownBy(() -> link("anna", ELSEWHERE, "/d/far")).isInstanceOf(Missing.class);
        elsewhereMadeBy(0);
        assertThat(link("anna", ELSEWHERE, "/d/far").error()).as("has a name").isEqualTo(FsError.INVALID_ARGUMENT);
        elsewhereMadeBy(99);
        assertThat(link("anna", ELSEWHERE, "/d/far").error())
                .as("of another session")
                .isEqualTo(FsError.NOT_WRITER);
        elsewhere(StatHandlesReply.getDefaultInstance());
        assertThat(link("anna", ELSEWHERE, "/d/far").error()).as("removed").isEqualTo(FsError.NOT_FOUND);
        elsewhere(StatHandlesReply.newBuilder()
                .addAttributes(
                        Attributes.newBuilder().setHandle(ELSEWHERE.value()).setType(FileType.DIRECTORY))
                .build());
        assertThat(link("anna", ELSEWHERE, "/d/far").error()).as("no file").isEqualTo(FsError.NOT_FOUND);
        assertThat(Outbox.count(shell.state.view(), 9)).isZero();

        elsewhereMadeBy(Shell.SESSION);
        assertThat(link("anna", ELSEWHERE, "/d/far").error()).isEqualTo(FsError.OK);
        assertThat(link("anna", ELSEWHERE, "/d/far").error())
                .as("the same again")
                .isEqualTo(FsError.OK);
        assertThat(link("anna", ELSEWHERE, "/d/second").error())
                .as("a second name before its shard is told of the first")
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(Outbox.count(shell.state.view(), 9)).isEqualTo(1);
    }

    @Test
    void itsShardSaysWhoMadeAFileWithoutAName() {
        Handle file = handle(make("anna"));
        Handle named = new Handle(shell.stat("/d/old").getHandle());
        StatHandlesRequest request = StatHandlesRequest.newBuilder()
                .addHandles(file.value())
                .addHandles(named.value())
                .build();
        StatHandlesReply reply = (StatHandlesReply)
                shell.ask(new StatHandles(), request, Shell.principal("anna")).body();
        assertThat(reply.getAttributesCount()).isEqualTo(2);
        assertThat(reply.getUnlinkedList())
                .containsExactly(StatHandlesReply.Unlinked.newBuilder()
                        .setMetafile(file.value())
                        .setSession(Shell.SESSION)
                        .build());
    }

    @Test
    void toldOfItsNameItTakesTheGroupOnce() {
        Handle file = handle(make("anna"));
        assertThat(notifyLinked(file, "staff").error()).isEqualTo(FsError.OK);
        assertThat(row(file).getUnlinkedSession()).isZero();
        assertThat(row(file).getGroup()).isEqualTo("staff");
        assertThat(UnlinkedFiles.hasAny(shell.state.view(), Shell.SESSION)).isFalse();
        notifyLinked(file, "dev");
        assertThat(row(file).getGroup()).as("told again").isEqualTo("staff");
        assertThat(notifyLinked(Handle.of(Handle.shardOwner(0), 0, 999), "staff")
                        .error())
                .as("gone by then")
                .isEqualTo(FsError.OK);
    }

    /** What came to be known of between the question to the other shards and their answer counts. */
    @Test
    void aFileThatGotItsNameMeanwhileIsNotRemoved() {
        Handle linked = handle(make("anna"));
        Handle nameless = handle(make("anna"));
        shell.state.replay(List.of(new SessionPut(
                Sessions.find(shell.state.view(), Shell.SESSION).orElseThrow().withEnd())));
        notifyLinked(linked, "staff");
        RemoveUnlinked remove = new RemoveUnlinked(Shell.SESSION, List.of(linked, nameless), 1);

        assertThat(shell.state.apply(remove.decide(shell.state.view(), shell.inputs())))
                .isEqualTo(REMOVED_ONE);

        assertThat(row(linked).getGroup()).isEqualTo("staff");
        assertThat(Metafiles.find(shell.state.view(), nameless)).isEmpty();
        assertThat(UnlinkedFiles.hasAny(shell.state.view(), Shell.SESSION)).isFalse();
    }

    @Test
    void theRowOfAnEndedSessionStaysAsLongAsAFileOfItHasNoName() {
        Handle file = handle(make("anna"));
        shell.state.replay(List.of(new SessionPut(
                Sessions.find(shell.state.view(), Shell.SESSION).orElseThrow().withEnd())));
        forget();
        assertThat(Sessions.find(shell.state.view(), Shell.SESSION)).isPresent();
        shell.state.apply(
                new RemoveUnlinked(Shell.SESSION, List.of(file), 1).decide(shell.state.view(), shell.inputs()));
        forget();
        assertThat(Sessions.find(shell.state.view(), Shell.SESSION)).isEmpty();
        assertThat(RecoveringFiles.after(shell.state.view(), file, 9)).isEmpty();
    }

    @Test
    void whatChangesNothingIsNoRecord() {
        Handle linked = handle(make("anna"));
        Handle removed = Handle.of(Handle.shardOwner(0), 0, 999);
        Handle indexed = Handle.of(Handle.shardOwner(0), 0, 1000);
        shell.state.replay(List.of(
                new SessionPut(Sessions.find(shell.state.view(), Shell.SESSION)
                        .orElseThrow()
                        .withEnd()),
                new FileUnlinked(Shell.SESSION, indexed)));
        notifyLinked(linked, "staff");
        RemoveUnlinked remove = new RemoveUnlinked(Shell.SESSION, List.of(linked, removed, indexed), 1);
        assertThat(remove.decide(shell.state.view(), shell.inputs()).records())
                .containsExactly(new FileLinked(Shell.SESSION, indexed));
    }

    /** A store may come from a release that forgot sessions sooner. */
    @Test
    void aSessionThatIsGoneLeavesNoCount() {
        Handle first = handle(make("anna"));
        Handle second = handle(make("anna"));
        shell.state.replay(List.of(new SessionRemoved(Shell.SESSION)));
        for (Handle file : List.of(first, second)) {
            RemoveUnlinked remove = new RemoveUnlinked(Shell.SESSION, List.of(file), 1);
            assertThat(shell.state.apply(remove.decide(shell.state.view(), shell.inputs())))
                    .isEqualTo(REMOVED_ONE);
            assertThat(FileCount.sessions(shell.state.view())).isEmpty();
        }
        assertThat(UnlinkedFiles.hasAny(shell.state.view(), Shell.SESSION)).isFalse();
    }

    /** Two files of an ended session, at shard 0 of three. */
    private List<Handle> leftByAnEndedSession() {
        List<Handle> files = List.of(handle(make("anna")), handle(make("anna")));
        shell.state.replay(List.of(new SessionPut(
                Sessions.find(shell.state.view(), Shell.SESSION).orElseThrow().withEnd())));
        shell.cluster = FixedInputs.CLUSTER.toBuilder().setShardCount(3).build();
        return files;
    }

    private static Reply named(Handle... files) {
        FenceSessionsReply.Builder reply = FenceSessionsReply.newBuilder();
        for (Handle file : files) {
            reply.addLinked(file.value());
        }
        return Reply.ok(reply.build());
    }

    private static Reply refused() {
        return Reply.refused(Kind.FENCE_SESSIONS, FsError.FAULT, "as the test asked");
    }

    private Decision<UnlinkedRemoval> decideRemoval(List<Handle> files, Map<Integer, Reply> answers) {
        Map<Need, Reply> replies = new HashMap<>();
        answers.forEach((shard, reply) -> replies.put(Facts.fence(shard, Shell.SESSION, 0, files), reply));
        return new RemoveUnlinked(Shell.SESSION, files, 3)
                .decide(
                        shell.state.view(),
                        shell.inputs().with(PeerAnswers.none().with(replies)));
    }

    @Test
    void noFileIsRemovedBeforeEveryOtherShardFencedItsSession() {
        List<Handle> files = leftByAnEndedSession();
        for (Map<Integer, Reply> some :
                List.<Map<Integer, Reply>>of(Map.of(), Map.of(1, named()), Map.of(2, named()), Map.of(1, refused()))) {
            Set<Need> others = new HashSet<>();
            List.of(1, 2).stream()
                    .filter(shard -> !some.containsKey(shard))
                    .forEach(shard -> others.add(Facts.fence(shard, Shell.SESSION, 0, files)));
            assertThatThrownBy(() -> decideRemoval(files, some))
                    .isInstanceOfSatisfying(
                            Missing.class,
                            missing -> assertThat(missing.needs()).isEqualTo(others));
        }
    }

    @Test
    void anAnswerAboutOtherFilesIsNoAnswer() {
        List<Handle> files = leftByAnEndedSession();
        List<Handle> other = List.of(files.get(0));
        shell.peerAnswers = PeerAnswers.none()
                .with(Map.of(
                        Facts.fence(1, Shell.SESSION, 0, other), named(),
                        Facts.fence(2, Shell.SESSION, 0, other), named()));
        RemoveUnlinked remove = new RemoveUnlinked(Shell.SESSION, files, 3);
        assertThatThrownBy(() -> remove.decide(shell.state.view(), shell.inputs()))
                .isInstanceOf(Missing.class);
    }

    @Test
    void aFileThatAnyShardNamesStays() {
        List<Handle> files = leftByAnEndedSession();
        Handle linked = files.get(1);
        UnlinkedRemoval removal = shell.state.apply(decideRemoval(files, Map.of(1, named(), 2, named(linked))));
        assertThat(removal).isEqualTo(REMOVED_ONE);
        assertThat(Metafiles.find(shell.state.view(), files.get(0))).isEmpty();
        assertThat(row(linked).getUnlinkedSession()).isEqualTo(Shell.SESSION);
        assertThat(UnlinkedFiles.has(shell.state.view(), Shell.SESSION, linked)).isTrue();
    }

    @Test
    void aShardThatRefusesKeepsEveryFile() {
        List<Handle> files = leftByAnEndedSession();
        Decision<UnlinkedRemoval> decision = decideRemoval(files, Map.of(1, named(), 2, refused()));
        assertThat(decision.records()).isEmpty();
        assertThat(decision.answer())
                .isEqualTo(new UnlinkedRemoval(0, Optional.of("shard 2 answered FAULT, as the test asked")));
    }

    /** A server that has no cluster map yet has one without servers. */
    @Test
    void noFileIsRemovedWhileTheOtherShardsAreUnknown() {
        List<Handle> files = leftByAnEndedSession();
        Decision<UnlinkedRemoval> decision =
                new RemoveUnlinked(Shell.SESSION, files, 0).decide(shell.state.view(), shell.inputs());
        assertThat(decision.records()).isEmpty();
        assertThat(decision.answer().refusal())
                .hasValueSatisfying(why -> assertThat(why).contains("0 shards were counted without shard 0"));
    }

    /** The count decides whom to ask, and not the map, which may be older. */
    @Test
    void aShardThatTheMapDoesNotHaveYetMustFenceToo() {
        List<Handle> files = leftByAnEndedSession();
        shell.cluster = FixedInputs.CLUSTER.toBuilder().setShardCount(2).build();
        assertThatThrownBy(() -> decideRemoval(files, Map.of(1, named())))
                .isInstanceOfSatisfying(
                        Missing.class,
                        missing ->
                                assertThat(missing.needs()).containsExactly(Facts.fence(2, Shell.SESSION, 0, files)));
    }

    @Test
    void aSessionThatIsAliveLosesNoFile() {
        Handle file = handle(make("anna"));
        assertThatThrownBy(() -> decideRemoval(List.of(file), Map.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has not ended");
    }

    private void forget() {
        ExpireSession expire = new ExpireSession(Shell.SESSION, true, () -> false);
        shell.state.apply(expire.decide(shell.state.view(), shell.inputs()));
    }

    @Test
    void aFenceEndsTheSessionAndTellsOfNamesNotYetToldOf() {
        shell.cluster = FixedInputs.CLUSTER.toBuilder().setShardCount(2).build();
        elsewhereMadeBy(Shell.SESSION);
        link("anna", ELSEWHERE, "/d/far");
        Handle other = Handle.of(Handle.shardOwner(1), 0, 8);
        FenceSessionsRequest fence = FenceSessionsRequest.newBuilder()
                .addSessions(Shell.SESSION)
                .addSessions(99)
                .addAllMetafiles(List.of(ELSEWHERE.value(), other.value()))
                .build();

        assertThat(fence(fence).getLinkedList()).containsExactly(ELSEWHERE.value());
        for (long session : new long[] {Shell.SESSION, 99}) {
            assertThat(Sessions.find(shell.state.view(), session).orElseThrow().ended())
                    .isTrue();
        }
        shell.state.replay(List.of(new Told(List.of(Notice.linked(ELSEWHERE, "staff")))));
        assertThat(fence(fence).getLinkedList()).as("its shard knows").isEmpty();
    }

    private FenceSessionsReply fence(FenceSessionsRequest request) {
        return (FenceSessionsReply) shell.state
                .apply(new FenceSessions().decide(request, Shell.principal("root"), shell.state.view(), shell.inputs()))
                .body();
    }

    private Reply abandon(Handle file, int datafiles) {
        AbandonMetafileRequest.Builder request =
                AbandonMetafileRequest.newBuilder().setMetafile(file.value());
        for (int i = 1; i <= datafiles; i++) {
            request.addDatafiles(Handle.of(1, 0, i).value());
        }
        return shell.decide(new AbandonMetafile(), request.build(), Shell.principal("anna"));
    }

    @Test
    void oneFileLeavesOnlySoManyDatafiles() {
        Handle file = handle(make("anna"));
        Reply refused = abandon(file, Layout.MOST_COLUMNS + 1);
        assertThat(refused.error()).isEqualTo(FsError.TOO_LARGE);
        assertThat(refused.header().getMessage()).contains("256 datafiles", "255");
        assertThat(Metafiles.find(shell.state.view(), file)).isPresent();
        assertThat(abandon(file, Layout.MOST_COLUMNS).error()).isEqualTo(FsError.OK);
        assertThat(DeletionQueue.count(shell.state.view(), 1000)).isEqualTo(Layout.MOST_COLUMNS);
    }

    @ParameterizedTest(name = "{0} and {1} and {2}: {3}")
    @CsvSource({"1000, 0, 0, OK", "400, 300, 300, OK", "1001, 0, 0, TOO_LARGE", "400, 300, 301, TOO_LARGE"})
    void oneNoticeTellsOfOnlySoManyObjects(int unlinked, int cut, int linked, FsError expected) {
        NotifyRequest.Builder notice = NotifyRequest.newBuilder();
        long next = 1_000;
        for (int i = 0; i < unlinked; i++) {
            notice.addUnlinkedFiles(Handle.of(Handle.shardOwner(0), 0, next++).value());
        }
        for (int i = 0; i < cut; i++) {
            notice.addCutTrees(Handle.of(Handle.shardOwner(0), 0, next++).value());
        }
        for (int i = 0; i < linked; i++) {
            notice.addLinkedFiles(Handle.of(Handle.shardOwner(0), 0, next++).value());
            notice.addLinkedGroups("staff");
        }
        assertThat(shell.decide(new NotifyObjects(), notice.build(), Shell.principal("root"))
                        .error())
                .isEqualTo(expected);
    }
}
