package io.steadfs.mds.op.write;

import io.steadfs.error.FsError;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.session.FileOpened;
import io.steadfs.mds.state.LossIncarnation;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AppendReply;
import io.steadfs.wire.proto.AppendRequest;
import java.util.List;

/**
 * Makes the caller's session the writer of a closed file. These rules hold at every moment of a file's life:
 *
 * <ol>
 *   <li>At most one session may change the file: the metafile's writer, under the metafile's write generation. A
 *       decision that makes a session the writer raises the generation. A decision that takes the file from its writer
 *       also raises the generation. So this shard refuses an attach or a close of any other session.
 *   <li>Before a byte is written under a generation, every attached column is sealed under the same generation. A seal
 *       is durable and refuses the writes of all older generations. So a late writer changes nothing, however late its
 *       writes arrive.
 *   <li>Only a truncate lowers the recorded length. The bytes below the recorded length never change.
 *   <li>A column of a closed file may hold bytes beyond the recorded length. Bytes beyond the recorded length of a
 *       closed file do not belong to the file. Before anybody writes a closed file again, bytes beyond its recorded
 *       length are durably cut. Uncut bytes would belong to the file as soon as the bytes before them exist.
 * </ol>
 *
 * <p>The appender takes these steps:
 *
 * <ol>
 *   <li>This decision makes the session the writer.
 *   <li>SEAL seals all columns.
 *   <li>Columns that are too long are cut.
 *   <li>After the cuts, the appender writes.
 * </ol>
 *
 * If the appender crashes after any step, recovery finds the right length. Neither the decision nor the seal changes a
 * length. A cut removes only bytes behind a hole. So the longest prefix that the columns hold still has the recorded
 * length.
 */
public final class AppendFile extends NamespaceOperation<AppendRequest> {
    public AppendFile() {
        super(Kind.APPEND);
    }

    @Override
    public Decision<Reply> change(AppendRequest request, Context context) throws Refused {
        FileNode file = WritableFile.find(request.getLocation(), context);
        WritableFile.requireClosed(file, context);
        MetafileRow row = file.row();
        if (row.getCut()) {
            throw new Refused(
                    FsError.CORRUPT,
                    "file " + file.handle() + " was truncated to " + row.getLength()
                            + " bytes, but a damaged datafile could not be cut: truncate it again before it is appended"
                            + " to");
        }
        FileNode opened = new FileNode(
                file.handle(),
                row.toBuilder()
                        .setUntouchedSession(0)
                        .setWriterSession(context.principal().session())
                        .setWriteGeneration(LossIncarnation.generationAfter(context.view(), row.getWriteGeneration()))
                        .setVersion(row.getVersion() + 1)
                        .build());
        AppendReply reply =
                AppendReply.newBuilder().setAttributes(opened.attributes(true)).build();
        return done(
                reply,
                List.of(
                        new MetafileSet(opened.handle(), opened.row()),
                        new FileOpened(
                                context.principal().session(),
                                opened.handle(),
                                request.getPath(),
                                context.inputs().wallMillis())));
    }
}
