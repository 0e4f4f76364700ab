package io.steadfs.mds.op.rename;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.RenameMode;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.path.FsPath;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A directory cannot take the place of the one that it is in, on whatever shards the two are; nor does it wait for itself. */
class RenameOntoParentTest {
    private final SimulatedShards cluster = new SimulatedShards(3, 1);
    private final AsyncSteadFs fs = cluster.client("root");

    @Test
    void theParentIsNotEmpty() throws FsException {
        for (int i = 0; i < 30; i++) {
            FsPath parent = FsPath.parse("/parent" + i);
            FsPath child = parent.child("child");
            cluster.await("mkdirs", fs.names().mkdirs(child, 0755, true, false));
            assertThat(error(fs.names().rename(child, parent, RenameMode.OVERWRITE)))
                    .as("%s", child)
                    .isEqualTo(FsError.NOT_EMPTY);
            assertThat(cluster.await("stat", fs.attributes().stat(child)).directory())
                    .isTrue();
        }
        cluster.quiet();
        assertThat(cluster.state().paths()).hasSize(60);
    }

    private FsError error(CompletableFuture<?> answer) {
        return cluster.await("rename", answer.handle((value, failure) -> {
            if (failure == null) {
                return FsError.OK;
            }
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            return cause instanceof FsException refused ? refused.error() : FsError.FAULT;
        }));
    }
}
