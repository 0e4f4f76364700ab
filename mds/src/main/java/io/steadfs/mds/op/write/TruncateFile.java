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
 * Shortens a closed file. The decision itself is the truncate: before it the old length counts, after it the new one. Readers
 * of a closed file use only this length. Recovery cuts the bytes that the IO servers hold beyond it, under a raised
 * generation, however often this takes. Until then the row says that the file must be cut, so nobody may become the writer,
 * and recovery cannot count those bytes. So no crash brings any of them back.
 *
 * <p>If a datafile is damaged so that it cannot be cut, the file is closed at its new length and stays marked. It can be
 * read, but not appended to. A later truncate, even to the same length, tries again.
 */
public final class TruncateFile extends NamespaceOperation<TruncateFileRequest> {
    public TruncateFile() {
        super(Kind.TRUNCATE_FILE);
    }

    @Override
    public Decision<Reply> change(TruncateFileRequest request, Context context) throws Refused {
        FileNode file = WritableFile.find(request.getLocation(), context);
        WritableFile.requireClosed(file);
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
