package io.steadfs.mds.op.server;

import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.pipeline.Query;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.ClusterMapReply;
import io.steadfs.wire.proto.ClusterMapRequest;

/** Answers the newest cluster map that this server knows. */
public final class GetClusterMap implements Query<ClusterMapRequest> {
    @Override
    public Reply answer(ClusterMapRequest request, Principal principal, ReadView view, Inputs inputs) {
        return Reply.ok(ClusterMapReply.newBuilder().setMap(inputs.cluster()).build());
    }
}
