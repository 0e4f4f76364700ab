package io.steadfs.mds.op.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.Gathering;
import io.steadfs.mds.op.ground.Page;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.StatHandlesReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many objects at other shards one check asks after. */
class RemoteOwnersTest {
    private static final int SHARD = 1;

    /** The same files again and again, as if they had so many names, so that one answer serves every question. */
    private final List<Handle> files = new ArrayList<>();

    RemoteOwnersTest() {
        for (int i = 0; i < Page.MAX_ENTRIES; i++) {
            files.add(Handle.of(Handle.shardOwner(SHARD), 0, 100 + i));
        }
    }

    @Test
    void onlySoManyAreAskedAfter() throws Refused {
        PeerAnswers allAreAnnas = PeerAnswers.none()
                .with(Map.of(Facts.notOwned(SHARD, files, "anna"), Reply.ok(StatHandlesReply.getDefaultInstance())));
        Context context = new Context(
                Shell.principal("anna"), new State().view(), FixedInputs.now().with(allAreAnnas));
        Gathering gathering = new Gathering(context);
        RemoteOwners owners = new RemoteOwners(context, gathering);
        for (int i = 0; i < RemoteOwners.MOST; i++) {
            owners.require(files.get(i % files.size()), "/d/s/file", "/d/s");
        }
        owners.finish();
        gathering.settle();

        Refused refused =
                catchThrowableOfType(Refused.class, () -> owners.require(files.get(0), "/d/s/one more", "/d/s"));
        assertThat(refused.error()).isEqualTo(FsError.TOO_LARGE);
        assertThat(refused).hasMessageContaining("more than 5000000").hasMessageContaining("/d/s");
    }
}
