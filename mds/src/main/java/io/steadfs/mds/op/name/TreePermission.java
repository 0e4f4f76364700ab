package io.steadfs.mds.op.name;

import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Checked;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Precheck;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DeleteRequest;
import java.util.List;

/**
 * Checks whether the caller may delete everything below a directory, on all shards: {@link TreeCheck}. This check does
 * not refuse what {@link DeletePath} itself refuses. After the check, {@link DeletePath} deletes only the tree that was
 * checked.
 */
public final class TreePermission implements Precheck<DeleteRequest> {
    @Override
    public boolean isNeeded(DeleteRequest request, Principal principal) {
        return request.getRecursive() && !principal.superuser();
    }

    @Override
    public Checked<DeleteRequest> check(DeleteRequest request, Principal principal, ReadView view, Inputs inputs) {
        try {
            return Checked.allowed(new DeletePath(checkedTree(request, new Context(principal, view, inputs))));
        } catch (Refused refused) {
            return Checked.refused(refused.reply(Kind.DELETE));
        }
    }

    /** The directory whose tree the caller may delete; {@code NONE} if the path does not lead to a directory. */
    private static Handle checkedTree(DeleteRequest request, Context context) throws Refused {
        PathWalk walk;
        try {
            walk = PathWalk.toChange(request.getLocation(), context);
        } catch (Refused leftToTheDecision) {
            return Handle.NONE;
        }
        if (walk.isStart() || !walk.isFound() || !walk.isDirectory()) {
            return Handle.NONE;
        }
        NamedObject top = walk.named();
        TreeCheck.elsewhere(
                top.isHere(context)
                        ? TreeCheck.here(top.directoryNode(context), top.text(), context)
                        : List.of(TreeCheck.directory(top.handle(), top.text())),
                context);
        return top.handle();
    }
}
