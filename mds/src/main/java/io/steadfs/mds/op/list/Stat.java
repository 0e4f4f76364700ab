package io.steadfs.mds.op.list;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Described;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.Guarded;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.PartitionCounts;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.RemoteAttributes;
import io.steadfs.mds.op.ground.RemoteObject;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.util.Optional;

/**
 * Answers the attributes of the object at a path. In general the caller needs only the permissions that the walk
 * checks. If the request says that it will read the file, the caller also needs read permission. If the request asks
 * for access bits, the caller also needs these bits.
 *
 * <p>If a whole path leads to a file of another shard, the shard of the name asks that shard.
 *
 * <p>Instead of a path, the request may name the handle of a file that the caller has open. A reader that no longer
 * finds the file's bytes uses the handle to learn what became of the file.
 */
public final class Stat extends NamespaceQuery<StatRequest> {
    private static final int ACCESS_BITS = 7;

    public Stat() {
        super(Kind.STAT);
    }

    @Override
    public MessageLite look(StatRequest request, Context context) throws Refused {
        return StatReply.newBuilder()
                .setAttributes(
                        request.getMetafile() != 0
                                ? openedFile(new Handle(request.getMetafile()), context)
                                : atPath(request, context))
                .build();
    }

    private static Attributes atPath(StatRequest request, Context context) throws Refused {
        PathWalk walk = request.getKeepLink()
                ? PathWalk.toLook(request.getLocation(), context)
                : PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        Optional<Attributes> elsewhere = walk.isWholeToFileElsewhere()
                ? RemoteAttributes.of(walk.object(), request.getWantLayout(), context)
                : Optional.empty();
        if (elsewhere.isPresent()) {
            check(request, new RemoteObject(elsewhere.get()), true, walk, context);
            return elsewhere.get();
        }
        Described found = walk.described();
        check(request, found, found instanceof FileNode, walk, context);
        return PartitionCounts.attributes(found, request.getWantLayout(), context);
    }

    private static void check(StatRequest request, Guarded object, boolean isFile, PathWalk walk, Context context)
            throws Refused {
        // Only a file needs this check. A caller who opens a directory must learn that the path is a directory.
        if (request.getToRead() && isFile) {
            Permissions.require(context.principal(), object, Permissions.READ, walk.text());
        }
        if (request.getAccess() != 0) {
            Permissions.require(context.principal(), object, checked(request.getAccess()), walk.text());
        }
    }

    /**
     * What became of a file that the caller has open, found by its handle: whether it is there, its length and its write
     * generation. No path is asked, since the file's name may have changed. So the answer has nothing else of the file,
     * and nothing by which its bytes could be found.
     */
    private static Attributes openedFile(Handle metafile, Context context) throws Refused {
        if (!context.owns(metafile)) {
            throw new Refused(FsError.NOT_OWNER, "shard " + context.inputs().shard() + " does not own " + metafile);
        }
        FileNode file = new FileNode(
                metafile,
                Metafiles.find(context.view(), metafile)
                        .orElseThrow(() -> new Refused(FsError.NOT_FOUND, "metafile " + metafile + " was removed")));
        Permissions.require(context.principal(), file, Permissions.READ, "file " + metafile);
        Attributes all = file.attributes(context.view(), false);
        return Attributes.newBuilder()
                .setHandle(all.getHandle())
                .setType(all.getType())
                .setLength(all.getLength())
                .setWriteGeneration(all.getWriteGeneration())
                .build();
    }

    private static int checked(int access) throws Refused {
        if ((access & ~ACCESS_BITS) != 0) {
            throw new Refused(FsError.INVALID_ARGUMENT, "access " + Integer.toOctalString(access) + " is above 7");
        }
        return access;
    }
}
