package io.steadfs.mds.op.attribute;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.TimeSet;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.FileWriter;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Node;
import io.steadfs.mds.op.ground.PartitionCounts;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.layout.NewFile;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.SetAttributesReply;
import io.steadfs.wire.proto.SetAttributesRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Sets attributes of a file or directory. A request sets either all attributes that it names or none of them. The
 * superuser may set every attribute. Other callers have these rights:
 *
 * <ul>
 *   <li>The owner of the object may set the mode.
 *   <li>Only the superuser may give the object to another owner.
 *   <li>The owner of the object may set the group to one of the owner's own groups.
 *   <li>The owner of the object may set the times. A caller with write permission may also set the times.
 *   <li>A caller with write permission may set the number of copies of a file.
 * </ul>
 */
public final class SetAttributes extends NamespaceOperation<SetAttributesRequest> {
    public SetAttributes() {
        super(Kind.SET_ATTRIBUTES);
    }

    @Override
    public Decision<Reply> change(SetAttributesRequest request, Context context) throws Refused {
        checkValues(request);
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        Node node = walk.node();
        // First: who may change another object, and how, is no answer to what was asked.
        Handle expected = new Handle(request.getExpectedHandle());
        if (request.getExpectedHandle() != 0 && !node.handle().equals(expected)) {
            throw new Refused(
                    FsError.STALE_VERSION, walk.text() + " is " + node.handle() + " now, expected " + expected);
        }
        if (request.getExpectedVersion() != 0 && node.version() != request.getExpectedVersion()) {
            throw new Refused(
                    FsError.STALE_VERSION,
                    walk.text() + " is at version " + node.version() + ", expected " + request.getExpectedVersion());
        }
        checkPermission(request, context.principal(), node, walk.text());
        if (request.hasReplication() && node instanceof DirectoryNode) {
            throw new Refused(FsError.IS_A_DIRECTORY, walk.text() + " is a directory, which has no copies");
        }
        return node instanceof DirectoryNode directory
                ? changeDirectory(request, directory, context)
                : changeFile(request, (FileNode) node, context);
    }

    private static void checkValues(SetAttributesRequest request) throws Refused {
        Permissions.checkMode(request.getMode());
        if ((request.hasOwner() && request.getOwner().isEmpty())
                || (request.hasGroup() && request.getGroup().isEmpty())) {
            throw new Refused(FsError.INVALID_ARGUMENT, "an owner or group without a name");
        }
        if (request.hasReplication() && request.getReplication() == 0) {
            throw new Refused(FsError.INVALID_ARGUMENT, "no copy at all");
        }
        NewFile.copies(request.getReplication());
        Permissions.checkPrincipal("owner", request.getOwner());
        Permissions.checkPrincipal("group", request.getGroup());
        if (request.getModificationTime() < 0 || request.getAccessTime() < 0) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "modification time " + request.getModificationTime() + ", access time " + request.getAccessTime());
        }
    }

    private static void checkPermission(SetAttributesRequest request, Principal principal, Node node, String what)
            throws Refused {
        if (request.hasMode() || request.hasOwner() || request.hasGroup()) {
            Permissions.requireOwner(principal, node, what);
        }
        if (principal.superuser()) {
            return;
        }
        if (request.hasOwner() && !request.getOwner().equals(node.owner())) {
            throw new Refused(
                    FsError.PERMISSION_DENIED,
                    "user " + principal.user() + " may not give " + what + " to " + request.getOwner());
        }
        if (request.hasGroup() && !principal.groups().contains(request.getGroup())) {
            throw new Refused(
                    FsError.PERMISSION_DENIED,
                    "user " + principal.user() + " is not in group " + request.getGroup() + " for " + what);
        }
        // A request that sets nothing needs the same permission as a request that sets times.
        boolean atMostTimes =
                !request.hasMode() && !request.hasOwner() && !request.hasGroup() && !request.hasReplication();
        boolean times = request.hasModificationTime() || request.hasAccessTime();
        if ((times || atMostTimes) && !principal.user().equals(node.owner())) {
            Permissions.require(principal, node, Permissions.WRITE, what);
        }
        if (request.hasReplication()) {
            Permissions.require(principal, node, Permissions.WRITE, what);
        }
    }

    private static Decision<Reply> changeFile(SetAttributesRequest request, FileNode file, Context context)
            throws Refused {
        MetafileRow.Builder row = file.row().toBuilder().setVersion(file.row().getVersion() + 1);
        if (request.hasMode()) {
            row.setMode(request.getMode());
        }
        if (request.hasOwner()) {
            row.setOwner(request.getOwner());
        }
        if (request.hasGroup()) {
            row.setGroup(request.getGroup());
        }
        if (request.hasModificationTime()) {
            row.setModificationTime(request.getModificationTime());
        }
        if (request.hasAccessTime()) {
            row.setAccessTime(request.getAccessTime());
        }
        if (request.hasReplication()) {
            row.setReplication(NewFile.copies(request.getReplication()));
        }
        List<LogRecord> records =
                new ArrayList<>(request.hasModificationTime() ? withWriter(file, row, context) : List.of());
        FileNode changed = new FileNode(file.handle(), row.build());
        records.add(new MetafileSet(changed.handle(), changed.row()));
        return reply(changed.attributes(context.view(), false), records);
    }

    /**
     * Makes the session that claims an untouched file the file's writer. The close of an untouched file changes no row,
     * but a close has to replace a modification time that was set while the file was open.
     *
     * @return the records that go with the change of the row
     */
    private static List<LogRecord> withWriter(FileNode file, MetafileRow.Builder row, Context context) {
        FileWriter writer = FileWriter.of(context.view(), file.handle(), file.row());
        if (file.row().getUntouchedSession() == 0 || writer.session() == 0 || writer.isInDoubt()) {
            return List.of();
        }
        return FileWriter.begun(context.view(), file.handle(), file.row(), row);
    }

    private static Decision<Reply> changeDirectory(
            SetAttributesRequest request, DirectoryNode directory, Context context) throws Refused {
        DirectoryRow.Builder row =
                directory.row().toBuilder().setVersion(directory.row().getVersion() + 1);
        if (request.hasMode()) {
            row.setMode(request.getMode());
        }
        if (request.hasOwner()) {
            row.setOwner(request.getOwner());
        }
        if (request.hasGroup()) {
            row.setGroup(request.getGroup());
        }
        if (request.hasAccessTime()) {
            row.setAccessTime(request.getAccessTime());
        }
        PartitionCounts counts = PartitionCounts.now(directory, context);
        List<LogRecord> records = new ArrayList<>();
        if (request.hasModificationTime()) {
            setTime(request.getModificationTime(), directory, row, counts, context, records);
        }
        DirectoryNode changed = new DirectoryNode(directory.handle(), row.build());
        records.add(new DirectorySet(changed.handle(), changed.row()));
        Attributes attributes = counts.attributes(changed);
        return reply(
                request.hasModificationTime()
                        ? attributes.toBuilder()
                                .setModificationTime(request.getModificationTime())
                                .build()
                        : attributes,
                records);
    }

    /**
     * Sets the modification time in the row that counts the entries. If the directory has several partitions, its own row
     * has the time, with the sum of what they had counted when they were asked for this request. A further change of an
     * entry makes the time void.
     */
    private static void setTime(
            long time,
            DirectoryNode directory,
            DirectoryRow.Builder row,
            PartitionCounts counts,
            Context context,
            List<LogRecord> records) {
        if (!DirectoryNode.hasOnePartition(directory.row())) {
            row.setTimeSet(TimeSet.newBuilder().setTime(time).setChanges(counts.changes()));
            return;
        }
        CountsRow old = DirectoryCounts.find(context.view(), directory.handle()).orElseThrow();
        records.add(new CountsSet(
                directory.handle(), old.toBuilder().setModificationTime(time).build()));
    }

    private static Decision<Reply> reply(Attributes attributes, List<LogRecord> records) {
        return done(SetAttributesReply.newBuilder().setAttributes(attributes).build(), records);
    }
}
