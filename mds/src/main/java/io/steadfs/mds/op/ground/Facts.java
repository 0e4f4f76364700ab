package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AncestorsRequest;
import io.steadfs.wire.proto.CheckTreeReply;
import io.steadfs.wire.proto.CheckTreeRequest;
import io.steadfs.wire.proto.FenceSessionsRequest;
import io.steadfs.wire.proto.GiveCopiesRequest;
import io.steadfs.wire.proto.IntentStatusRequest;
import io.steadfs.wire.proto.LookUpRequest;
import io.steadfs.wire.proto.StatHandlesRequest;
import java.util.List;

/**
 * Makes the questions that decisions and queries ask other shards. A shard that answers a question holds nothing for
 * the asking shard.
 */
public final class Facts {
    private Facts() {}

    /** @param handles handles of objects that the asked shard owns */
    public static Need.Ask attributes(int shard, List<Handle> handles, boolean wantLayout) {
        StatHandlesRequest.Builder request = StatHandlesRequest.newBuilder().setWantLayout(wantLayout);
        handles.forEach(handle -> request.addHandles(handle.value()));
        return new Need.Ask(shard, Kind.STAT_HANDLES, request.build());
    }

    /** As {@link #attributes}, without what needs further shards: the counts of directories with several partitions. */
    public static Need.Ask permissions(int shard, List<Handle> handles) {
        StatHandlesRequest.Builder request = StatHandlesRequest.newBuilder().setUncounted(true);
        handles.forEach(handle -> request.addHandles(handle.value()));
        return new Need.Ask(shard, Kind.STAT_HANDLES, request.build());
    }

    /** Asks a shard which of the given objects do not belong to the given user. */
    public static Need.Ask notOwned(int shard, Iterable<Handle> handles, String user) {
        StatHandlesRequest.Builder request =
                StatHandlesRequest.newBuilder().setNotOwnedBy(user).setUncounted(true);
        handles.forEach(handle -> request.addHandles(handle.value()));
        return new Need.Ask(shard, Kind.STAT_HANDLES, request.build());
    }

    /** Asks a shard which objects the given names lead to. The answer is from the newest state of the asked shard. */
    public static Need.Ask lookUp(int shard, LookUpRequest request) {
        return new Need.Ask(shard, Kind.LOOK_UP, request);
    }

    /** @param admitted whether it is asked for a move that is admitted */
    public static Need.Ask ancestors(Handle directory, boolean admitted) {
        return new Need.Ask(
                directory.shard(),
                Kind.ANCESTORS,
                AncestorsRequest.newBuilder()
                        .setDirectory(directory.value())
                        .setAdmitted(admitted)
                        .build());
    }

    /**
     * Asks a shard to end the session there for good. The shard answers which of the metafiles got a name there, if this
     * shard may not know the name yet. The session must have ended at this shard.
     *
     * @param namedHome the session's home, as in {@link io.steadfs.mds.session.Session#namedHome}
     */
    public static Need.Ask fence(int shard, long session, int namedHome, List<Handle> metafiles) {
        FenceSessionsRequest.Builder request =
                FenceSessionsRequest.newBuilder().addSessions(session).setHome(namedHome);
        metafiles.forEach(file -> request.addMetafiles(file.value()));
        return new Need.Ask(shard, Kind.FENCE_SESSIONS, request.build());
    }

    /** Whether the caller may delete everything below a directory or partition. */
    public static Need.Ask treePermission(CheckTreeReply.Elsewhere directory) {
        CheckTreeRequest.Builder request = CheckTreeRequest.newBuilder()
                .setDirectory(directory.getDirectory())
                .setPath(directory.getPath());
        if (directory.hasShare()) {
            request.setShare(directory.getShare());
        }
        return new Need.Ask(new Handle(directory.getDirectory()).shard(), Kind.CHECK_TREE, request.build());
    }

    /**
     * Asks the owner of the directory for copies of the rows of a path.
     *
     * @param names the path below the directory
     */
    public static Need.Ask copies(int holder, Handle directory, List<String> names) {
        return new Need.Ask(
                directory.shard(),
                Kind.GIVE_COPIES,
                GiveCopiesRequest.newBuilder()
                        .setHolder(holder)
                        .setDirectory(directory.value())
                        .addAllNames(names)
                        .build());
    }

    /** Asks the coordinator for the state of the intent that holds the lock. */
    public static Need.Ask verdict(LockRow lock) {
        return new Need.Ask(
                lock.getCoordinator(),
                Kind.INTENT_STATUS,
                IntentStatusRequest.newBuilder()
                        .setIntent(lock.getIntent())
                        .setSlot(lock.getSlot())
                        .build());
    }
}
