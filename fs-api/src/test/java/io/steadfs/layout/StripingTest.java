package io.steadfs.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.handle.Handle;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StripingTest {
    @ParameterizedTest(name = "strip {0} width {1} file offset {2}: column {3} offset {4}, {5} left")
    @CsvSource({
        "10, 1,   0, 0,  0, 10",
        "10, 1,  25, 0, 25,  5",
        "10, 3,   9, 0,  9,  1",
        "10, 3,  10, 1,  0, 10",
        "10, 3,  29, 2,  9,  1",
        "10, 3,  30, 0, 10, 10",
        "10, 3,  47, 1, 17,  3",
        "10, 3, 600000000015, 1, 200000000005, 5",
    })
    void placesOneByte(int strip, int width, long offset, int column, long datafileOffset, int left) {
        Striping striping = new Striping(strip, width);
        assertThat(striping.column(offset)).isEqualTo(column);
        assertThat(striping.datafileOffset(offset)).isEqualTo(datafileOffset);
        assertThat(striping.leftInStrip(offset)).isEqualTo(left);
        assertThat(striping.fileOffset(column, datafileOffset)).isEqualTo(offset);
    }

    @ParameterizedTest(name = "strip {0} width {1}")
    @CsvSource({"65536, 1", "1048576, 4", "1073741824, 255", "196608, 3", "1, 255"})
    void aLongestFileFillsItsFirstColumnAndOverfillsNone(int strip, int width) {
        Striping striping = new Striping(strip, width);
        long most = striping.mostFileBytes();
        for (int column = 0; column < width; column++) {
            assertThat(striping.datafileLength(column, most)).isLessThanOrEqualTo(Striping.MOST_DATAFILE_BYTES);
        }
        assertThat(striping.datafileLength(0, most + 1)).isEqualTo(Striping.MOST_DATAFILE_BYTES + 1);
    }

    @ParameterizedTest(name = "strip 10 width 3, {0} bytes: {1} {2} {3}")
    @CsvSource({
        "0, 0, 0, 0",
        "1, 1, 0, 0",
        "10, 10, 0, 0",
        "11, 10, 1, 0",
        "29, 10, 10, 9",
        "30, 10, 10, 10",
        "31, 11, 10, 10",
        "59, 20, 20, 19",
        "60, 20, 20, 20"
    })
    void dealsALength(long length, long first, long second, long third) {
        Striping striping = new Striping(10, 3);
        assertThat(striping.datafileLength(0, length)).isEqualTo(first);
        assertThat(striping.datafileLength(1, length)).isEqualTo(second);
        assertThat(striping.datafileLength(2, length)).isEqualTo(third);
        assertThat(striping.fileLength(new long[] {first, second, third})).isEqualTo(length);
    }

    @ParameterizedTest(name = "strip 10 width 3, columns {0} {1} {2}: {3} bytes")
    @CsvSource({
        "0, 10, 10, 0",
        "5, 10, 10, 5",
        "10, 0, 10, 10",
        "10, 10, 3, 23",
        "20, 3, 10, 13",
        "20, 10, 10, 40",
        "20, 20, 4, 24",
    })
    void countsTheLongestPrefixWithoutAHole(long first, long second, long third, long length) {
        assertThat(new Striping(10, 3).fileLength(new long[] {first, second, third}))
                .isEqualTo(length);
    }

    @Test
    void agreesWithDealingBytesOneByOne() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Striping striping = new Striping(1 + random.nextInt(7), 1 + random.nextInt(5));
            long[] lengths = new long[striping.width()];
            int length = random.nextInt(100);
            for (int offset = 0; offset < length; offset++) {
                int column = striping.column(offset);
                assertThat(striping.datafileOffset(offset)).as("seed %d", seed).isEqualTo(lengths[column]);
                lengths[column]++;
            }
            for (int column = 0; column < striping.width(); column++) {
                assertThat(striping.datafileLength(column, length))
                        .as("seed %d, %s, %d bytes, %s", seed, striping, length, Arrays.toString(lengths))
                        .isEqualTo(lengths[column]);
            }
            assertThat(striping.fileLength(lengths)).as("seed %d", seed).isEqualTo(length);
        }
    }

    @Test
    void refusesNoColumnsAndWrongLists() {
        assertThatThrownBy(() -> new Striping(10, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Striping(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Striping(10, 2).fileLength(new long[1]))
                .isInstanceOf(IllegalArgumentException.class);
        Striping two = new Striping(10, 2);
        assertThatThrownBy(() -> new Layout(two, 1, List.of(1), List.of(Handle.NONE, Handle.NONE), 1))
                .hasMessageContaining("1 servers and 2 datafiles");
    }

    @Test
    void aDatafileSaysItsServerItself() {
        Handle datafile = Handle.of(7, 0, 1);
        Layout layout = new Layout(new Striping(10, 2), 1, List.of(3, 4), List.of(datafile, Handle.NONE), 1);
        assertThat(layout.serverOf(0)).isEqualTo(7);
        assertThat(layout.serverOf(1)).isEqualTo(4);
    }
}
