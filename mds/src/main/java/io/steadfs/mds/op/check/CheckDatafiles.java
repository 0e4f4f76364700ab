package io.steadfs.mds.op.check;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.datafile.ListedDatafile;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckDatafilesReply;
import io.steadfs.wire.proto.CheckDatafilesRequest;
import java.io.UncheckedIOException;

/**
 * Answers what this shard has stored about the datafiles in the request. A check of the file system sends this request.
 * Only the superuser may send this request.
 */
public final class CheckDatafiles extends NamespaceQuery<CheckDatafilesRequest> {
    public CheckDatafiles() {
        super(Kind.CHECK_DATAFILES);
    }

    @Override
    public MessageLite look(CheckDatafilesRequest request, Context context) throws Refused {
        Permissions.checkSuperuser(context.principal(), "look up datafiles on record");
        int asked = Math.max(request.getDatafilesCount(), request.getColumnsCount());
        if (asked > ScanPage.MOST) {
            throw new Refused(FsError.TOO_LARGE, asked + " datafiles, at most " + ScanPage.MOST);
        }
        CheckDatafilesReply.Builder reply = CheckDatafilesReply.newBuilder();
        for (CheckDatafilesRequest.Column column : request.getColumnsList()) {
            ListedDatafile claimed = new ListedDatafile(
                    new Handle(column.getDatafile()), new Handle(column.getMetafile()), column.getIndex());
            if (context.owns(claimed.metafile())) {
                ColumnOnRecord.unindexed(context.view(), claimed).ifPresent(reply::addListed);
            }
        }
        for (long value : request.getDatafilesList()) {
            try {
                look(new Handle(value), context, reply);
            } catch (UncheckedIOException e) {
                reply.addUnknown(value);
            }
        }
        return reply.build();
    }

    private static void look(Handle datafile, Context context, CheckDatafilesReply.Builder reply) {
        ListedDatafiles.met(context.view(), datafile)
                .ifPresent(met -> reply.addListed(ColumnOnRecord.of(context.view(), met)));
        // Read the queue last: once a datafile is no longer listed, it stays in the queue until its removal.
        if (DeletionQueue.hasDatafile(context.view(), datafile)) {
            reply.addQueued(datafile.value());
        }
    }
}
