package io.steadfs.client.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Entry;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.Layout;
import io.steadfs.wire.proto.ListReply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A page in one piece says the same as its entries one by one. */
class PackedEntriesTest {
    private static final String[] NAMES = {"", "ann", "ben", "supergroup", "\u00e4\u4e00"};

    private final Random random = new Random();

    private static ByteString packed(List<Entry> entries) throws IOException {
        ByteString.Output out = ByteString.newOutput();
        for (Entry entry : entries) {
            entry.writeDelimitedTo(out);
        }
        return out.toByteString();
    }

    private Entry any(int number) {
        boolean directory = random.nextInt(4) == 0;
        Attributes.Builder attributes = Attributes.newBuilder()
                .setHandle(Handle.of(Handle.FIRST_SHARD_OWNER, 0, 1 + random.nextInt(1000))
                        .value())
                .setType(directory ? FileType.DIRECTORY : FileType.FILE)
                .setMode(random.nextInt(01000))
                .setOwner(NAMES[random.nextInt(NAMES.length)])
                .setGroup(NAMES[random.nextInt(NAMES.length)])
                .setLength(random.nextInt(3) * 5_000_000_000L)
                .setModificationTime(random.nextLong())
                .setAccessTime(random.nextInt(2) * 1_700_000_000_000L)
                .setBlockSize(random.nextInt(2) * (128L << 20))
                .setOpen(random.nextBoolean())
                .setRecovering(random.nextBoolean())
                .setWriteGeneration(random.nextInt(3))
                .setVersion(random.nextLong())
                .setEntries(random.nextInt(5));
        if (!directory && random.nextInt(8) != 0) {
            attributes.setLayout(layout());
        }
        if (random.nextInt(16) == 0) {
            attributes.setHandle(random.nextLong());
        }
        if (random.nextInt(16) == 0) {
            attributes.setLength(random.nextLong());
        }
        return Entry.newBuilder()
                .setName("f" + number)
                .setAttributes(attributes)
                .build();
    }

    private Layout layout() {
        int width = 1 + random.nextInt(3);
        int replicas = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(2);
        Layout.Builder layout = Layout.newBuilder()
                .setStripSize(random.nextInt(16) == 0 ? 0 : 1 << 20)
                .setWidth(width)
                .setReplicas(replicas)
                .setVersion(random.nextInt(3));
        for (int i = 0; i < width * replicas; i++) {
            layout.addServers(random.nextInt(32) == 0 ? 0 : 1 + random.nextInt(4));
            layout.addDatafiles(random.nextBoolean() ? 0 : datafile());
        }
        return layout.build();
    }

    private long datafile() {
        return random.nextInt(32) == 0
                ? random.nextLong()
                : Handle.of(1 + random.nextInt(4), 0, 7).value();
    }

    @Test
    void whateverTheEntries() throws IOException {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        random.setSeed(seed);
        for (int round = 0; round < 200; round++) {
            List<Entry> entries = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                entries.add(any(i));
            }
            assertThat(Answers.entries(
                            ListReply.newBuilder().setPacked(packed(entries)).build()))
                    .isEqualTo(Answers.entries(
                            ListReply.newBuilder().addAllEntries(entries).build()));
        }
    }

    @Test
    void aPageThatIsCutOffIsRefused() throws IOException {
        ByteString whole = packed(List.of(any(1), any(2)));
        for (int length = 1; length < whole.size(); length++) {
            ByteString cut = whole.substring(0, length);
            if (length != packedLengthOfFirst(whole)) {
                assertThatThrownBy(() -> PackedEntries.decode(cut)).isInstanceOf(FsException.class);
            }
        }
    }

    private static int packedLengthOfFirst(ByteString whole) throws IOException {
        var in = whole.newCodedInput();
        int length = in.readRawVarint32();
        return in.getTotalBytesRead() + length;
    }

    @Test
    void noiseIsRefusedOrRead() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        random.setSeed(seed);
        for (int round = 0; round < 20_000; round++) {
            byte[] noise = new byte[random.nextInt(40)];
            random.nextBytes(noise);
            try {
                PackedEntries.decode(ByteString.copyFrom(noise));
            } catch (FsException e) {
                assertThat(e).hasMessageContaining("makes no sense");
            }
        }
    }
}
