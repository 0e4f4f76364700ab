package io.steadfs.mds.op.list;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.DirectoryPartitions;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.LockedName;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Node;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.TreeWalk;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ContentSummaryReply;
import io.steadfs.wire.proto.ContentSummaryRequest;

/**
 * Sums up the files and directories at and below a path: their number, length and space. Symbolic links are not
 * counted. The time grows with the size of the tree. The memory grows only with the depth. The query should run on a
 * snapshot, so that the sums are of one moment. The query is refused with NOT_SUPPORTED if a part of the tree is on
 * another shard.
 */
public final class ContentSummary extends NamespaceQuery<ContentSummaryRequest> {
    public ContentSummary() {
        super(Kind.CONTENT_SUMMARY);
    }

    @Override
    public MessageLite look(ContentSummaryRequest request, Context context) throws Refused {
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        Node node = walk.node();
        Sums sums = new Sums();
        sums.add(node);
        if (node instanceof DirectoryNode top) {
            requireHere(top, walk.text(), walk.text(), context);
            Permissions.requireListable(context.principal(), node, walk.text());
            try (TreeWalk tree = new TreeWalk(context.view(), top)) {
                while (tree.next()) {
                    NamedObject object = NamedObject.of(tree.entry(), walk.text() + "/" + tree.path());
                    if (!object.isHere(context)) {
                        throw elsewhere(object.text(), walk.text());
                    }
                    if (object.symlink().isPresent() || LockedName.isGone(tree.entry(), object.text(), context)) {
                        continue;
                    }
                    Node below = object.node(context);
                    sums.add(below);
                    if (below instanceof DirectoryNode directory) {
                        requireHere(directory, object.text(), walk.text(), context);
                        Permissions.requireListable(
                                context.principal(), below, walk.text() + "/.../" + tree.entryName());
                        tree.enter(directory);
                    }
                }
            }
        }
        return sums.reply();
    }

    private static void requireHere(DirectoryNode directory, String what, String top, Context context) throws Refused {
        if (!DirectoryPartitions.areHere(directory, context)) {
            throw elsewhere(what, top);
        }
    }

    private static Refused elsewhere(String what, String top) {
        return new Refused(
                FsError.NOT_SUPPORTED,
                what + " is on another shard than " + top + ": sum up the entries of a tree listing");
    }

    private static final class Sums {
        private long length;
        private long space;
        private long files;
        private long directories;

        private void add(Node node) {
            if (node instanceof FileNode file) {
                MetafileRow row = file.row();
                files++;
                long told = Metafiles.toldLength(row);
                length += told;
                space += told * row.getLayout().getReplicas();
            } else {
                directories++;
            }
        }

        private ContentSummaryReply reply() {
            return ContentSummaryReply.newBuilder()
                    .setLength(length)
                    .setFiles(files)
                    .setDirectories(directories)
                    .setSpace(space)
                    .build();
        }
    }
}
