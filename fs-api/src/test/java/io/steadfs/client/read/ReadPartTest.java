package io.steadfs.client.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.layout.Striping;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReadPartTest {
    private static final int K64 = 64 * 1024;

    @Test
    void neighbouringStripsOfAColumnAreOneRequest() {
        Striping striping = new Striping(K64, 2);
        assertThat(ReadPart.of(striping, 10, 6 * K64 + 5, 16 * K64))
                .isEqualTo(List.of(new ReadPart(0, 10, 3 * K64 + 5), new ReadPart(1, 0, 3 * K64)));
    }

    @Test
    void aRequestIsAUnitAtMostAndEndsAtAChunk() {
        assertThat(ReadPart.of(new Striping(8 * K64, 1), 10, 5 * K64 + 1, 2 * K64))
                .isEqualTo(List.of(
                        new ReadPart(0, 10, 2 * K64),
                        new ReadPart(0, 2 * K64, 4 * K64),
                        new ReadPart(0, 4 * K64, 5 * K64 + 1)));
    }

    @Test
    void everyByteIsReadOnce() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Striping striping = new Striping(1 + random.nextInt(9), 1 + random.nextInt(6));
            int from = random.nextInt(200);
            int to = from + 1 + random.nextInt(200);
            int[] reads = new int[to];
            for (ReadPart part : ReadPart.of(striping, from, to, K64)) {
                for (long at = part.from(); at < part.to(); at++) {
                    reads[(int) striping.fileOffset(part.column(), at)]++;
                }
            }
            int[] expected = new int[to];
            Arrays.fill(expected, from, to, 1);
            assertThat(reads)
                    .as("seed %d, %s, %d..%d", seed, striping, from, to)
                    .isEqualTo(expected);
        }
    }
}
