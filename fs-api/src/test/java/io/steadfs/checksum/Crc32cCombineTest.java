package io.steadfs.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class Crc32cCombineTest {
    private static final int[] LENGTHS = {0, 1, 2, 3, 7, 8, 255, 256, 4095, 65535, 65536, 65537, 1 << 20};

    @Test
    void aConcatenationHasTheCrcOfItsParts() {
        Random random = new Random(7);
        for (int first : LENGTHS) {
            for (int second : LENGTHS) {
                byte[] bytes = new byte[first + second];
                random.nextBytes(bytes);
                int expected = crc(bytes, 0, bytes.length);
                int a = crc(bytes, 0, first);
                int b = crc(bytes, first, second);

                assertThat(Crc32cCombine.combine(a, b, second))
                        .as("%d + %d bytes", first, second)
                        .isEqualTo(expected);
                assertThat(Crc32cCombine.forSecond(second).combine(a, b))
                        .as("%d + %d bytes by table", first, second)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void theFirstPartOfNothingHasCrcZero() {
        assertThat(Crc32cCombine.combine(0, 0x1234, 99)).isEqualTo(0x1234);
        assertThat(Crc32cCombine.forSecond(99).combine(0, 0x1234)).isEqualTo(0x1234);
    }

    @Test
    void lengthsBeyondMemoryAgreeWithRepeatedCombining() {
        byte[] zeros = new byte[1 << 20];
        int unit = crc(zeros, 0, zeros.length);
        int doubled = unit;
        long length = zeros.length;
        for (int i = 0; i < 40; i++) {
            doubled = Crc32cCombine.combine(doubled, doubled, length);
            length *= 2;
        }
        // The same 2^60 zero bytes, cut unevenly.
        int other = unit;
        long otherLength = zeros.length;
        int tail = unit;
        long tailLength = zeros.length;
        while (otherLength < length) {
            other = Crc32cCombine.combine(other, tail, tailLength);
            otherLength += tailLength;
            tail = other;
            tailLength = otherLength;
        }
        assertThat(otherLength).isEqualTo(length);
        assertThat(other).isEqualTo(doubled);
    }

    @Test
    void aNegativeLengthIsRefused() {
        assertThatThrownBy(() -> Crc32cCombine.combine(1, 2, -1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> Crc32cCombine.forSecond(-5)).hasMessageContaining("-5");
    }

    private static int crc(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }
}
