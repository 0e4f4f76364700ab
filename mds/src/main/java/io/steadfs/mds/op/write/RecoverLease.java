package io.steadfs.mds.op.write;

import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.FileWriter;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RecoverLeaseReply;
import io.steadfs.wire.proto.RecoverLeaseRequest;
import java.util.List;

/**
 * Takes a file from its writer, even from a live one, and starts the recovery of the file at once. As in HDFS, every
 * caller with write permission on the file may send this request. If the file is already being recovered, the request
 * only wakes the recovery.
 */
public final class RecoverLease extends NamespaceOperation<RecoverLeaseRequest> {
    public RecoverLease() {
        super(Kind.RECOVER_LEASE);
    }

    @Override
    public Decision<Reply> change(RecoverLeaseRequest request, Context context) throws Refused {
        FileNode file = WritableFile.find(request.getLocation(), context);
        MetafileRow row = file.row();
        List<LogRecord> records = FileWriter.mayBeWritten(context.view(), file.handle(), row)
                ? TakenFile.from(file.handle(), row, context.view())
                : row.getRecovering() ? List.of(new RecoveryQueued(file.handle())) : List.of();
        return done(RecoverLeaseReply.newBuilder().setClosed(records.isEmpty()).build(), records);
    }
}
