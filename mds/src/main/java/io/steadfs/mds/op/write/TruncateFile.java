package io.steadfs.mds.op.write;

import io.steadfs.error.FsError;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.mds.state.LossIncarnation;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.TruncateFileReply;
import io.steadfs.wire.proto.TruncateFileRequest;
import java.util.List;

/**
 * Shortens a closed file. The decision itself is the truncate: the old length counts before the decision, the new
 * length after it. Readers of a closed file use only the length in the metafile. The IO servers may still hold bytes
 * beyond the new length. Recovery cuts the bytes beyond the new length under a raised write generation, and tries again
 * until the cut succeeds. Until all these bytes are cut, the metafile has a mark. While a file has the mark, nobody may
 * become its writer, and recovery does not count the bytes beyond its length. So no crash brings a truncated byte back.
 *
 * <p>If a datafile is so damaged that it cannot be cut, the file is closed at its new length and keeps the mark. A
 * closed file with the mark can be read, but not appended to. A later truncate tries to cut again, even a truncate to
 * the same length.
 */
public final class TruncateFile extends NamespaceOperation<TruncateFileRequest> {
    public TruncateFile() {
        super(Kind.TRUNCATE_FILE);
    }

    @Override
    public Decision<Reply> change(TruncateFileRequest request, Context context) throws Refused {
        FileNode file = WritableFile.find(request.getLocation(), context);
        WritableFile.requireClosed(file, context);
        MetafileRow row = file.row();
        long length = request.getLength();
        if (length < 0 || length > row.getLength()) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "file " + file.handle() + " has " + row.getLength() + " bytes and cannot be truncated to "
                            + Long.toUnsignedString(length));
        }
        if (length == row.getLength() && !row.getCut()) {
            return reply(file, List.of());
        }
        FileNode shortened = new FileNode(
                file.handle(),
                row.toBuilder()
                        .setLength(length)
                        .setModificationTime(context.now())
                        .setWriteGeneration(LossIncarnation.generationAfter(context.view(), row.getWriteGeneration()))
                        .setUntouchedSession(0)
                        .setRecovering(true)
                        .setCut(true)
                        .setVersion(row.getVersion() + 1)
                        .build());
        return reply(
                shortened,
                List.of(new MetafileSet(shortened.handle(), shortened.row()), new RecoveryQueued(shortened.handle())));
    }

    private static Decision<Reply> reply(FileNode file, List<LogRecord> records) {
        return done(
                TruncateFileReply.newBuilder()
                        .setAttributes(file.attributes(false))
                        .build(),
                records);
    }
}
