package io.steadfs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.path.FsPath;
import io.steadfs.wire.FrameLimits;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.PartitionMap;
import io.steadfs.wire.proto.ReplyHeader;
import org.junit.jupiter.api.Test;

/** What a refusal quotes fits into a frame's header, whatever was asked. */
class ReplyTest {
    @Test
    void aLongMessageIsCut() {
        Reply reply = Reply.refused(Kind.GET_XATTRS, FsError.NOT_FOUND, "no attribute " + "u".repeat(1 << 20));
        assertThat(reply.header().getMessage())
                .startsWith("no attribute uuu")
                .endsWith("uuu... (1048589 characters)")
                .hasSizeLessThan(6100);
        assertThat(reply.error()).isEqualTo(FsError.NOT_FOUND);
    }

    @Test
    void aShortOneIsNot() {
        String message = "x".repeat(6000);
        assertThat(Reply.refused(Kind.STAT, FsError.NOT_FOUND, message).header().getMessage())
                .isEqualTo(message);
    }

    @Test
    void noCharacterIsCutInTwo() {
        Reply reply = Reply.refused(Kind.STAT, FsError.NOT_FOUND, "x" + "\uD83D\uDE00".repeat(4000));
        String message = reply.header().getMessage();
        assertThat(message).doesNotContain("?").contains("\uD83D\uDE00... (8001 characters)");
        assertThat(Character.isHighSurrogate(message.charAt(5998))).isFalse();
    }

    /** A rename that goes on elsewhere, with two paths, a map and a message, each as long as it can be. */
    @Test
    void theLongestHeaderIsWithinTheLimit() {
        PartitionMap.Builder map = PartitionMap.newBuilder().setDirectory(-1);
        for (int partition = 0; partition < io.steadfs.partition.PartitionMap.MOST; partition++) {
            map.addPartitionsBuilder().setNumber(Integer.MAX_VALUE).setDepth(30).setHandle(-1);
        }
        ReplyHeader.Builder header = ReplyHeader.newBuilder()
                .setMessage("\u20AC".repeat(100_000))
                .setContinueDirectory(-1)
                .setContinuePath("x".repeat(FsPath.MAX_BYTES))
                .setContinueTargetDirectory(-1)
                .setContinueTargetPath("x".repeat(FsPath.MAX_BYTES))
                .setContinueToken(ByteString.copyFrom(new byte[36]))
                .setContinueTargetToken(ByteString.copyFrom(new byte[36]))
                .setPartitionMap(map);
        Reply reply = Reply.refused(Kind.RENAME, FsError.CONTINUE, header);
        assertThat(reply.header().getSerializedSize())
                .isLessThan(FrameLimits.from(Settings.defaults()).headerBytes());
    }
}
