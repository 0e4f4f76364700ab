package io.steadfs.mds.op;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.attribute.GetXattrs;
import io.steadfs.mds.op.attribute.RemoveXattr;
import io.steadfs.mds.op.attribute.SetAttributes;
import io.steadfs.mds.op.attribute.SetXattr;
import io.steadfs.mds.op.ground.NamespaceLimits;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.list.ContentSummary;
import io.steadfs.mds.op.list.ListDirectory;
import io.steadfs.mds.op.list.ListTree;
import io.steadfs.mds.op.list.Stat;
import io.steadfs.mds.op.name.CreateFile;
import io.steadfs.mds.op.name.CreateSymlink;
import io.steadfs.mds.op.name.DeletePath;
import io.steadfs.mds.op.name.Mkdirs;
import io.steadfs.mds.op.name.TreePermission;
import io.steadfs.mds.op.rename.RenamePath;
import io.steadfs.mds.op.server.RootDirectory;
import io.steadfs.mds.pipeline.Checked;
import io.steadfs.mds.pipeline.DirectoryTimes;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ContentSummaryReply;
import io.steadfs.wire.proto.ContentSummaryRequest;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.CreateSymlinkRequest;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.GetXattrsReply;
import io.steadfs.wire.proto.GetXattrsRequest;
import io.steadfs.wire.proto.ListReply;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.ListTreeReply;
import io.steadfs.wire.proto.ListTreeRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.RemoveXattrRequest;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.SetAttributesRequest;
import io.steadfs.wire.proto.SetXattrRequest;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The operations as short commands on one state, so that a rule fits on a line of a table. The clock moves on by one
 * millisecond with each command. Users: root is the superuser, anna and ben are in group staff, ben in dev too, cleo in
 * none.
 *
 * <pre>
 *  mkdir P [mode]   mkdirs P (with parents)   mkdirx P (exclusive)
 *  create P [mode]  create! P (overwrite)     creates P (with parents)
 *  delete P         delete-r P                rename S T [OVERWRITE | INTO_DIRECTORY]
 *  symlink TARGET P                           lstat P
 *  chmod mode P     chown user P              chgrp group P     times mtime P
 *  setx name P      newx name P               replacex name P   rmx name P   getx P   getx P name
 *  stat P           list P                    tree P            summary P
 * </pre>
 */
public final class Shell {
    public static final long SESSION = 42;
    private static final Map<String, Set<String>> GROUPS =
            Map.of("root", Set.of(), "anna", Set.of("staff"), "ben", Set.of("staff", "dev"), "cleo", Set.of());

    public final State state;
    long now = FixedInputs.WALL_MILLIS;
    public ClusterMap cluster = FixedInputs.CLUSTER;
    public DirectoryTimes times = DirectoryTimes.EXACT;
    /** What other shards answered. */
    public PeerAnswers peerAnswers = PeerAnswers.none();

    public Shell() {
        this(State.of());
    }

    /** On an empty state. */
    public Shell(State state) {
        this.state = state;
        state.replay(List.of(new SessionPut(new Session(SESSION, "test", "root", 1, 1, false))));
        state.apply(RootDirectory.decide("root", "supergroup", state.view(), inputs()));
    }

    /** Commands of the superuser that must succeed, separated by semicolons. */
    public Shell given(String commands) {
        for (String command : commands.split(";", -1)) {
            Reply reply = as("root", command.strip());
            if (!reply.isOk()) {
                throw new AssertionError(
                        command + ": " + reply.error() + " " + reply.header().getMessage());
            }
        }
        return this;
    }

    public Inputs inputs() {
        Inputs fixed = FixedInputs.now();
        return new Inputs(
                        now,
                        fixed.shard(),
                        cluster,
                        fixed.incarnation(),
                        fixed.sequenceFirst(),
                        fixed.sequenceCeiling(),
                        fixed.starts())
                .with(peerAnswers.again())
                .with(times);
    }

    public static Principal principal(String user) {
        return new Principal(user, Optional.ofNullable(GROUPS.get(user)).orElseThrow(), user.equals("root"), SESSION);
    }

    /** A place below a start to which another shard has sent the user. */
    public Location from(String user, Handle start, String path) {
        return from(user, start, "", path);
    }

    /** A name in a directory of another shard, which has resolved it for the user. */
    public Location resolved(String user, Handle directory, String name) {
        return from(user, directory, name, name);
    }

    private Location from(String user, Handle start, String name, String path) {
        return Location.newBuilder()
                .setStart(start.value())
                .setToken(inputs().starts().give(principal(user), start, name, now))
                .setPath(path)
                .build();
    }

    public static Location at(String path) {
        return Location.newBuilder().setPath(path.substring(1)).build();
    }

    public Reply as(String user, String command) {
        now++;
        String[] words = command.split(" ", -1);
        Principal principal = principal(user);
        return switch (words[0]) {
            case "mkdir", "mkdirs", "mkdirx" ->
                decide(
                        new Mkdirs(0),
                        MkdirsRequest.newBuilder()
                                .setLocation(at(words[1]))
                                .setMode(mode(words, 2, 0755))
                                .setParentMode(0755)
                                .setCreateParents(words[0].equals("mkdirs"))
                                .setExclusive(words[0].equals("mkdirx"))
                                .build(),
                        principal);
            case "create", "create!", "creates" ->
                decide(
                        new CreateFile(0),
                        CreateRequest.newBuilder()
                                .setLocation(at(words[1]))
                                .setMode(mode(words, 2, 0644))
                                .setParentMode(0755)
                                .setCreateParents(words[0].equals("creates"))
                                .setOverwrite(words[0].equals("create!"))
                                .build(),
                        principal);
            case "symlink" ->
                decide(
                        new CreateSymlink(0),
                        CreateSymlinkRequest.newBuilder()
                                .setLocation(at(words[2]))
                                .setTarget(words[1])
                                .setParentMode(0755)
                                .build(),
                        principal);
            case "lstat" ->
                ask(
                        new Stat(),
                        StatRequest.newBuilder()
                                .setLocation(at(words[1]))
                                .setKeepLink(true)
                                .build(),
                        principal);
            case "delete", "delete-r" -> delete(words[1], words[0].equals("delete-r"), principal);
            case "rename" ->
                decide(
                        new RenamePath(),
                        RenameRequest.newBuilder()
                                .setSource(at(words[1]))
                                .setTarget(at(words[2]))
                                .setMode(RenameRequest.Mode.valueOf(words.length > 3 ? words[3] : "NO_REPLACE"))
                                .setSourcePath(words[1])
                                .setTargetPath(words[2])
                                .build(),
                        principal);
            case "chmod" -> set(SetAttributesRequest.newBuilder().setMode(mode(words, 1, 0)), words[2], principal);
            case "chown" -> set(SetAttributesRequest.newBuilder().setOwner(words[1]), words[2], principal);
            case "chgrp" -> set(SetAttributesRequest.newBuilder().setGroup(words[1]), words[2], principal);
            case "times" ->
                set(
                        SetAttributesRequest.newBuilder()
                                .setModificationTime(Long.parseLong(words[1]))
                                .setAccessTime(Long.parseLong(words[1])),
                        words[2],
                        principal);
            case "setx", "newx", "replacex" ->
                decide(
                        new SetXattr(
                                NamespaceLimits.from(Settings.defaults()), PartitionLimits.from(Settings.defaults())),
                        SetXattrRequest.newBuilder()
                                .setLocation(at(words[2]))
                                .setName(words[1])
                                .setValue(ByteString.copyFromUtf8("value " + now))
                                .setCreate(!words[0].equals("replacex"))
                                .setReplace(!words[0].equals("newx"))
                                .build(),
                        principal);
            case "setxattr" ->
                decide(
                        new SetXattr(
                                NamespaceLimits.from(Settings.defaults()), PartitionLimits.from(Settings.defaults())),
                        SetXattrRequest.newBuilder()
                                .setLocation(at(words[1]))
                                .setName(words[2])
                                .setValue(ByteString.copyFromUtf8(words[3]))
                                .setCreate(true)
                                .setReplace(true)
                                .build(),
                        principal);
            case "rmx" ->
                decide(
                        new RemoveXattr(),
                        RemoveXattrRequest.newBuilder()
                                .setLocation(at(words[2]))
                                .setName(words[1])
                                .build(),
                        principal);
            case "getx" ->
                ask(
                        new GetXattrs(),
                        GetXattrsRequest.newBuilder()
                                .setLocation(at(words[1]))
                                .addAllNames(Arrays.asList(words).subList(2, words.length))
                                .build(),
                        principal);
            case "stat" ->
                ask(
                        new Stat(),
                        StatRequest.newBuilder()
                                .setLocation(at(words[1]))
                                .setWantLayout(true)
                                .build(),
                        principal);
            case "list" ->
                ask(
                        new ListDirectory(),
                        ListRequest.newBuilder().setLocation(at(words[1])).build(),
                        principal);
            case "tree" ->
                ask(
                        new ListTree(),
                        ListTreeRequest.newBuilder()
                                .setLocation(at(words[1]))
                                .setWantDirectories(true)
                                .build(),
                        principal);
            case "summary" ->
                ask(
                        new ContentSummary(),
                        ContentSummaryRequest.newBuilder()
                                .setLocation(at(words[1]))
                                .build(),
                        principal);
            default -> throw new IllegalArgumentException(command);
        };
    }

    public FsError errorOf(String user, String command) {
        return as(user, command).error();
    }

    public <Q extends MessageLite> Reply decide(Operation<Q> operation, Q request, Principal principal) {
        return state.apply(operation.decide(request, principal, state.view(), inputs()));
    }

    public <Q extends MessageLite> Reply ask(NamespaceQuery<Q> query, Q request, Principal principal) {
        return query.answer(request, principal, state.view(), inputs());
    }

    private Reply delete(String path, boolean recursive, Principal principal) {
        DeleteRequest request = DeleteRequest.newBuilder()
                .setLocation(at(path))
                .setRecursive(recursive)
                .build();
        TreePermission permission = new TreePermission();
        if (!permission.isNeeded(request, principal)) {
            return decide(new DeletePath(), request, principal);
        }
        Checked<DeleteRequest> checked = permission.check(request, principal, state.view(), inputs());
        return checked.refusal()
                .orElseGet(() -> state.apply(
                        checked.instead().orElseThrow().decide(request, principal, state.view(), inputs())));
    }

    private Reply set(SetAttributesRequest.Builder request, String path, Principal principal) {
        return decide(new SetAttributes(), request.setLocation(at(path)).build(), principal);
    }

    private static int mode(String[] words, int at, int otherwise) {
        return words.length > at ? Integer.parseInt(words[at], 8) : otherwise;
    }

    public Attributes stat(String path) {
        return ((StatReply) ok("stat " + path).body()).getAttributes();
    }

    List<String> tree(String path) {
        ListTreeReply reply = (ListTreeReply) ok("tree " + path).body();
        return reply.getEntriesList().stream()
                .map(entry -> entry.getName())
                .sorted()
                .toList();
    }

    public ListReply list(String path) {
        return (ListReply) ok("list " + path).body();
    }

    public ContentSummaryReply summary(String path) {
        return (ContentSummaryReply) ok("summary " + path).body();
    }

    public Set<String> xattrs(String user, String path) {
        return ((GetXattrsReply) as(user, "getx " + path).body()).getXattrsMap().keySet();
    }

    private Reply ok(String command) {
        Reply reply = as("root", command);
        if (!reply.isOk()) {
            throw new AssertionError(
                    command + ": " + reply.error() + " " + reply.header().getMessage());
        }
        return reply;
    }
}
