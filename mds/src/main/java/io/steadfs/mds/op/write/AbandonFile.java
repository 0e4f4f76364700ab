package io.steadfs.mds.op.write;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AbandonReply;
import io.steadfs.wire.proto.AbandonRequest;

/**
 * Lets a writer give up a file that it cannot go on writing. The recovery of the file begins at once, and not only
 * after the end of the writer's session.
 */
public final class AbandonFile extends NamespaceOperation<AbandonRequest> {
    public AbandonFile() {
        super(Kind.ABANDON);
    }

    @Override
    public Decision<Reply> change(AbandonRequest request, Context context) throws Refused {
        Handle metafile = new Handle(request.getMetafile());
        MetafileRow row = WrittenFile.find(context, metafile, request.getWriteGeneration());
        return done(AbandonReply.getDefaultInstance(), TakenFile.from(metafile, row, context.view()));
    }
}
