package io.steadfs.mds.op.list;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.Gathering;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Node;
import io.steadfs.mds.op.ground.Page;
import io.steadfs.mds.op.ground.PartitionCounts;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.StatHandlesReply;
import io.steadfs.wire.proto.StatHandlesRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Answers the attributes of objects of this shard by their handles. Another shard sends this request if its dirents
 * lead to the objects. Objects that no longer exist are left out.
 */
public final class StatHandles extends NamespaceQuery<StatHandlesRequest> {
    public StatHandles() {
        super(Kind.STAT_HANDLES);
    }

    @Override
    public MessageLite look(StatHandlesRequest request, Context context) throws Refused {
        if (request.getHandlesCount() > Page.MAX_ENTRIES) {
            throw new Refused(FsError.TOO_LARGE, request.getHandlesCount() + " handles, at most " + Page.MAX_ENTRIES);
        }
        StatHandlesReply.Builder reply = StatHandlesReply.newBuilder();
        List<Node> nodes = new ArrayList<>();
        for (long value : request.getHandlesList()) {
            Handle handle = new Handle(value);
            if (!context.owns(handle)) {
                throw new Refused(FsError.NOT_OWNER, "shard " + context.inputs().shard() + " does not own " + handle);
            }
            find(handle, context).filter(node -> isAsked(node, request)).ifPresent(nodes::add);
        }
        Map<Handle, PartitionCounts> counts = request.getUncounted() ? Map.of() : counts(nodes, context);
        nodes.forEach(node -> add(node, request.getWantLayout(), counts, context, reply));
        return reply.build();
    }

    private static boolean isAsked(Node node, StatHandlesRequest request) {
        return request.getNotOwnedBy().isEmpty() || !node.owner().equals(request.getNotOwnedBy());
    }

    /** The counts of directories with several partitions. */
    private static Map<Handle, PartitionCounts> counts(List<Node> nodes, Context context) throws Refused {
        List<DirectoryNode> split = new ArrayList<>();
        for (Node each : nodes) {
            if (each instanceof DirectoryNode directory && !DirectoryNode.hasOnePartition(directory.row())) {
                split.add(directory);
            }
        }
        Gathering gathering = new Gathering(context);
        Optional<Map<Handle, PartitionCounts>> counts = PartitionCounts.of(split, context, gathering);
        gathering.settle();
        return counts.orElseThrow();
    }

    private static void add(
            Node node,
            boolean wantLayout,
            Map<Handle, PartitionCounts> counts,
            Context context,
            StatHandlesReply.Builder reply) {
        if (node instanceof DirectoryNode directory) {
            if (directory.row().hasPartOf()) {
                reply.addPartitions(PartitionCounts.toProto(
                        directory.handle(),
                        DirectoryCounts.find(context.view(), directory.handle()).orElseThrow(),
                        context));
                return;
            }
            PartitionCounts counted = counts.get(directory.handle());
            reply.addAttributes(
                    counted == null ? directory.attributesHere(context.view()) : counted.attributes(directory));
            return;
        }
        reply.addAttributes(node.attributes(context.view(), wantLayout));
        if (node instanceof FileNode file && file.row().getUnlinkedSession() != 0) {
            reply.addUnlinked(StatHandlesReply.Unlinked.newBuilder()
                    .setMetafile(file.handle().value())
                    .setSession(file.row().getUnlinkedSession()));
        }
    }

    private static Optional<Node> find(Handle handle, Context context) {
        Optional<DirectoryRow> directory = Directories.find(context.view(), handle);
        return directory.isPresent()
                ? Optional.of(new DirectoryNode(handle, directory.get()))
                : Metafiles.find(context.view(), handle).map(row -> new FileNode(handle, row));
    }
}
