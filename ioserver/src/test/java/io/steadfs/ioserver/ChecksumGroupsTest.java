package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A datafile of several groups of checksums is written, truncated, restarted and crashed, at and beside the edges of chunks
 * and groups. The store has the groups of its durable length, and no others.
 */
class ChecksumGroupsTest {
    private static final int CHUNK = 64 << 10;
    private static final int GROUP_CHUNKS = 64;
    private static final int GROUP = GROUP_CHUNKS * CHUNK;
    private static final int MOST_WRITE = 4 << 20;
    private static final int MOST_BYTES = 5 * GROUP;
    private static final int STEPS = 120;

    private final StringBuilder steps = new StringBuilder();
    private byte[] content = new byte[0];
    /** Bytes of the content that are on stable storage for sure. */
    private int durable;

    /** Checksums in each of the datafile's groups: of all chunks but the last. */
    private static List<Integer> stored(IoRig rig, Handle datafile) {
        List<Integer> counts = new ArrayList<>();
        byte[] from =
                ByteBuffer.allocate(12).putLong(datafile.value()).putInt(0).array();
        byte[] to = ByteBuffer.allocate(13).putLong(datafile.value()).putInt(-1).array();
        try (ReadView.Cursor cursor = rig.store.committed().scan(DatafileTables.CHUNKS, from, to)) {
            while (cursor.next()) {
                counts.add(cursor.value().length / Integer.BYTES);
            }
        }
        return counts;
    }

    private static List<Integer> expected(int lengthBytes) {
        List<Integer> counts = new ArrayList<>();
        int settled = lengthBytes == 0 ? 0 : (lengthBytes - 1) / CHUNK;
        for (int left = settled; left > 0; left -= GROUP_CHUNKS) {
            counts.add(Math.min(GROUP_CHUNKS, left));
        }
        return counts;
    }

    /** A length at or beside an edge, or any. */
    private static int length(Random random, int most) {
        int edge = random.nextInt(4) * GROUP + random.nextInt(3) * CHUNK;
        int length = switch (random.nextInt(3)) {
            case 0 -> edge + random.nextInt(5) - 2;
            case 1 -> edge + CHUNK * (random.nextInt(5) - 2);
            default -> random.nextInt(most + 1);
        };
        return Math.max(0, Math.min(most, length));
    }

    private void write(IoRig rig, Handle datafile, long generation, Random random) {
        boolean sync = random.nextBoolean();
        byte[] more = IoRig.bytes(random.nextLong(), 1 + length(random, MOST_WRITE - 1));
        IoRig.ok(rig.ask(
                Kind.WRITE,
                IoRig.write(datafile, content.length, more, sync)
                        .setWriteGeneration(generation)
                        .build(),
                more));
        int before = content.length;
        content = Arrays.copyOf(content, before + more.length);
        System.arraycopy(more, 0, content, before, more.length);
        durable = sync ? content.length : durable;
        steps.append(sync ? ", written and synced " : ", written ").append(more.length);
    }

    private void truncate(IoRig rig, Handle datafile, long generation, Random random) {
        int length = length(random, content.length);
        IoRig.ok(rig.truncate(datafile, generation, length));
        content = Arrays.copyOf(content, length);
        durable = length;
        steps.append(", truncated to ").append(length);
    }

    private void startAgain(IoRig rig, Handle datafile, Random random) throws Exception {
        if (random.nextBoolean()) {
            steps.append(", restarted");
            rig.restart();
        } else {
            steps.append(", crashed");
            rig.crash(random);
        }
        int length = (int) rig.stat(datafile).getLength();
        assertThat(length).as("%s", steps).isBetween(durable, content.length);
        content = Arrays.copyOf(content, length);
        durable = length;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void theStoreHasTheGroupsOfTheDurableLength(long seed) throws Exception {
        Random random = new Random(seed);
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "2")) {
            content = IoRig.bytes(seed, 100);
            durable = content.length;
            Handle datafile = rig.make(content, true);
            long generation = 1;
            steps.append("seed ").append(seed);
            for (int step = 0; step < STEPS; step++) {
                int dice = random.nextInt(10);
                if (dice < 5 && content.length < MOST_BYTES) {
                    write(rig, datafile, generation, random);
                } else if (dice < 8) {
                    truncate(rig, datafile, ++generation, random);
                } else {
                    startAgain(rig, datafile, random);
                }
                assertThat(stored(rig, datafile)).as("%s", steps).isEqualTo(expected(durable));
                if (step % 6 == 0) {
                    assertThat(Arrays.equals(rig.content(datafile), content))
                            .as("content: %s", steps)
                            .isTrue();
                }
            }
            assertThat(Arrays.equals(rig.content(datafile), content))
                    .as("content: %s", steps)
                    .isTrue();
            rig.remove(datafile);
            assertThat(stored(rig, datafile)).as("removed").isEmpty();
        }
    }
}
