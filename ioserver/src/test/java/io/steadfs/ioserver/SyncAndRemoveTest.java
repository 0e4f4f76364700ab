package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.RemoveRequest;
import io.steadfs.wire.proto.SyncReply;
import io.steadfs.wire.proto.SyncRequest;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A datafile is removed in the batch in which somebody waits for its bytes to be durable. */
class SyncAndRemoveTest {
    @Test
    void whoWaitsIsNotToldThatTheBytesAreDurable() throws IOException {
        try (IoRig rig = new IoRig()) {
            byte[] bytes = IoRig.bytes(1, 2157);
            Handle datafile = rig.make(bytes, false);

            IoRig.Pending sync = rig.begin(
                    Kind.SYNC,
                    SyncRequest.newBuilder()
                            .addDatafiles(datafile.value())
                            .setWriteGeneration(1)
                            .build(),
                    new byte[0]);
            IoRig.Pending write = rig.begin(
                    Kind.WRITE, IoRig.write(datafile, bytes.length, bytes, true).build(), bytes);
            IoRig.Pending remove = rig.begin(
                    Kind.REMOVE,
                    RemoveRequest.newBuilder()
                            .addDatafiles(datafile.value())
                            .addMetafiles(IoRig.METAFILE.value())
                            .build(),
                    new byte[0]);
            rig.core().lanes().runQueued();

            DatafileState state = ((SyncReply) sync.reply().body()).getDatafiles(0);
            assertThat(IoRig.errorOf(state)).isEqualTo(FsError.NO_SUCH_DATAFILE);
            assertThat(write.reply().error()).isEqualTo(FsError.NO_SUCH_DATAFILE);
            assertThat(remove.reply().error()).isEqualTo(FsError.OK);
        }
    }
}
