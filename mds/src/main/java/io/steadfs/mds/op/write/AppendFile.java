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
 * Makes the caller's session the writer of a closed file. At every moment of a file's life these rules hold:
 *
 * <ol>
 *   <li>At most one session may change the file: the metafile's writer, under the metafile's write generation. A decision
 *       that makes a session the writer, or takes the file from one, also raises the generation. So an attach or a close of
 *       any other session is refused here.
 *   <li>No byte is written under a generation before every attached column was sealed under it. A seal is durable, and
 *       refuses the writes of all older generations. So a late writer changes nothing, whenever it wakes up.
 *   <li>The recorded length falls only by a truncate, and the bytes below it never change.
 *   <li>Bytes that a column holds beyond the recorded length of a closed file belong to nobody. They are cut, durably, before
 *       anybody writes. Otherwise they would count as soon as the bytes before them exist.
 * </ol>
 *
 * <p>The appender's steps are: this decision; SEAL of all columns; cuts of columns that are too long; only then writes. A
 * crash after any step leaves a file that recovery can settle. Neither the decision nor the seal changed a length, and a cut
 * removed only bytes behind a hole. So the longest prefix that the columns hold is still the recorded one.
 */
public final class AppendFile extends NamespaceOperation<AppendRequest> {
    public AppendFile() {
        super(Kind.APPEND);
    }

    @Override
    public Decision<Reply> change(AppendRequest request, Context context) throws Refused {
        FileNode file = WritableFile.find(request.getLocation(), context);
        WritableFile.requireClosed(file);
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
