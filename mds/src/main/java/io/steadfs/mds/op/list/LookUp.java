package io.steadfs.mds.op.list;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Gathering;
import io.steadfs.mds.op.ground.LockedName;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Page;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.LookUpReply;
import io.steadfs.wire.proto.LookUpRequest;
import java.util.Optional;

/**
 * Answers which names in directories of this shard lead to another object than the request says. The shard sends this
 * request to itself if names were replaced during a listing: {@link ReplacedNames}. The answer leaves out names that no
 * longer exist. The answer also leaves out names that still lead to the object in the request.
 */
public final class LookUp extends NamespaceQuery<LookUpRequest> {
    public LookUp() {
        super(Kind.LOOK_UP);
    }

    @Override
    public MessageLite look(LookUpRequest request, Context context) throws Refused {
        if (request.getNamesCount() > Page.MAX_ENTRIES) {
            throw new Refused(FsError.TOO_LARGE, request.getNamesCount() + " names, at most " + Page.MAX_ENTRIES);
        }
        LookUpReply.Builder reply = LookUpReply.newBuilder();
        Gathering gathering = new Gathering(context);
        for (int i = 0; i < request.getNamesCount(); i++) {
            LookUpRequest.Name name = request.getNames(i);
            Handle directory = new Handle(name.getDirectory());
            if (!context.owns(directory)) {
                throw new Refused(
                        FsError.NOT_OWNER, "shard " + context.inputs().shard() + " does not own " + directory);
            }
            DirentKey key = DirentKey.of(directory, name.getName());
            if (Directories.find(context.view(), directory)
                    .filter(row -> !WholeDirectory.has(key, row, context.view()))
                    .isPresent()) {
                throw new Refused(FsError.BUSY, key + " was given to another shard; try again");
            }
            Optional<DirentRow> dirent = Dirents.find(context.view(), key);
            if (dirent.isPresent()
                    && dirent.get().getHandle() != name.getBefore()
                    && !LockedName.isGone(dirent.get(), name.getName(), gathering)) {
                LookUpReply.Found.Builder found = LookUpReply.Found.newBuilder()
                        .setIndex(i)
                        .setObject(dirent.get().getHandle());
                NamedObject.of(dirent.get(), name.getName())
                        .symlink()
                        .ifPresent(link -> found.setLink(link.attributes()));
                reply.addFound(found);
            }
        }
        gathering.settle();
        return reply.build();
    }
}
