package io.steadfs.mds.op.layout;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.mds.datafile.ListedDatafile;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WhereSettled;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.FenceHandlesReply;
import io.steadfs.wire.proto.FenceHandlesRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Fences ranges of leased handles. The reply names the fenced handles that files of this shard already have. After the
 * fence, no file of this shard gets another handle of the ranges. One decision of the writer makes the fence and the
 * reply. So the reply has the handles of every create that was decided before the fence. A create that comes after the
 * fence is refused. A repeated request does no harm.
 */
public final class FenceHandles extends NamespaceOperation<FenceHandlesRequest> {
    public static final int MAX_RANGES = 256;
    /** The largest number of handles in all ranges of one request together. */
    public static final int MAX_HANDLES = 1 << 16;

    public FenceHandles() {
        super(Kind.FENCE_HANDLES);
    }

    @Override
    public Decision<Reply> change(FenceHandlesRequest request, Context context) throws Refused {
        List<HandleRange> ranges = ranges(request, context.principal());
        WhereSettled.check(context);
        FenceHandlesReply.Builder reply = FenceHandlesReply.newBuilder();
        for (HandleRange range : ranges) {
            for (ListedDatafile used : ListedDatafiles.range(context.view(), range.first(), range.last())) {
                reply.addUsed(FenceHandlesReply.Used.newBuilder()
                        .setDatafile(used.datafile().value())
                        .setMetafile(used.metafile().value())
                        .setIndex(used.index()));
            }
        }
        return done(reply.build(), AdoptFences.fenced(context.view(), ranges));
    }

    private static List<HandleRange> ranges(FenceHandlesRequest request, Principal principal) throws Refused {
        if (request.getRangesCount() > MAX_RANGES) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    request.getRangesCount() + " ranges to fence in one message are above " + MAX_RANGES);
        }
        List<HandleRange> ranges = new ArrayList<>();
        long handles = 0;
        for (FenceHandlesRequest.Range range : request.getRangesList()) {
            HandleRange each = range(new Handle(range.getFirst()), new Handle(range.getLast()));
            requireOwner(each.first(), principal);
            ranges.add(each);
            handles += Math.min(each.count(), MAX_HANDLES + 1);
        }
        if (handles > MAX_HANDLES) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    "more than " + MAX_HANDLES + " handles to fence in one message, from "
                            + ranges.get(0).first() + " on");
        }
        return ranges;
    }

    /** An IO server may fence only its own handles. */
    private static void requireOwner(Handle first, Principal principal) throws Refused {
        if (principal.ioServer().isEmpty() || principal.ioServer().getAsInt() != first.owner()) {
            throw new Refused(
                    FsError.PERMISSION_DENIED,
                    "handles from " + first + " on are fenced by IO server " + first.owner() + " alone, not by "
                            + (principal.ioServer().isEmpty()
                                    ? "a caller that is no IO server"
                                    : "IO server " + principal.ioServer().getAsInt()));
        }
    }

    private static HandleRange range(Handle first, Handle last) throws Refused {
        if (!first.isOwnedByIoServer()) {
            throw new Refused(FsError.INVALID_ARGUMENT, "handle " + first + " names no datafile");
        }
        try {
            return new HandleRange(first, last);
        } catch (IllegalArgumentException e) {
            throw new Refused(FsError.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
        }
    }
}
