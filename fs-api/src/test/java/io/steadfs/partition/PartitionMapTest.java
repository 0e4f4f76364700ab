package io.steadfs.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.handle.Handle;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionMapTest {
    private static final Handle DIRECTORY = Handle.of(Handle.shardOwner(2), 0, 77);

    private static Partition partition(int number, int depth) {
        return new Partition(number, depth, Handle.of(Handle.shardOwner(number % 4), 0, 100 + number));
    }

    @ParameterizedTest(name = "splits {0}: hash {1} is in partition {2}")
    @CsvSource({
        "'',    0000000000000000, 0",
        "'',    ffffffffffffffff, 0",
        "0,     7fffffffffffffff, 0",
        "0,     8000000000000000, 1",
        "0 1,   bfffffffffffffff, 1",
        "0 1,   c000000000000000, 3",
        "0 0,   3fffffffffffffff, 0",
        "0 0,   4000000000000000, 2",
        "0 0,   8000000000000000, 1",
        "0 0 2, 5fffffffffffffff, 2",
        "0 0 2, 6000000000000000, 6",
    })
    void splitGivesTheUpperHalfAway(String splits, String hash, int number) {
        List<Partition> partitions = new ArrayList<>(List.of(partition(0, 0)));
        for (String split : splits.isEmpty() ? new String[0] : splits.split(" ", -1)) {
            split(partitions, Integer.parseInt(split));
        }
        PartitionMap map = PartitionMap.of(DIRECTORY, partitions);
        assertThat(map.of(Long.parseUnsignedLong(hash, 16)).number()).isEqualTo(number);
    }

    private static void split(List<Partition> partitions, int number) {
        Partition old = partitions.stream()
                .filter(each -> each.number() == number)
                .findFirst()
                .orElseThrow();
        partitions.remove(old);
        partitions.add(partition(number, old.depth() + 1));
        partitions.add(partition(number + (1 << old.depth()), old.depth() + 1));
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "-1, 1", "0, 31", "0, -1"})
    void impossiblePartitionsAreRefused(int number, int depth) {
        assertThatThrownBy(() -> new Partition(number, depth, DIRECTORY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("partition");
    }

    @ParameterizedTest
    @CsvSource({
        "0/1, no partition of directory D has the hashes 8000000000000000 to ffffffffffffffff",
        "1/1, no partition of directory D has the hashes 0000000000000000 to 7fffffffffffffff",
        "0/2 1/1, no partition of directory D has the hashes 4000000000000000 to 7fffffffffffffff",
        "0/0 1/1, 'partition 1 of directory D has hashes that another one has, too, from 8000000000000000 on'",
        "0/1 1/1 2/2, 'partition 2 of directory D has hashes that another one has, too, from 4000000000000000 on'",
        "0/0 0/0, 'partition 0 of directory D has hashes that another one has, too, from 0000000000000000 on'",
        "'', no partition of directory D has the hashes 0000000000000000 to ffffffffffffffff",
    })
    void holesAndOverlapsAreRefused(String partitions, String message) {
        List<Partition> all = new ArrayList<>();
        for (String each : partitions.isEmpty() ? new String[0] : partitions.split(" ", -1)) {
            all.add(partition(each.charAt(0) - '0', each.charAt(2) - '0'));
        }
        assertThatThrownBy(() -> PartitionMap.of(DIRECTORY, all))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message.replace("directory D", "directory " + DIRECTORY));
    }

    @Test
    void noHandleOfAnIoServerHasAMapOrAPartition() {
        Handle datafile = Handle.of(1, 0, 1);
        assertThatThrownBy(() -> PartitionMap.of(datafile, List.of(partition(0, 0))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(datafile.toString());
        assertThatThrownBy(() -> new Partition(0, 0, datafile))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(datafile.toString());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void everyHashIsInOnePartition(long seed) {
        Random random = new Random(seed);
        List<Partition> partitions = new ArrayList<>(List.of(partition(0, 0)));
        for (int i = 0; i < 200; i++) {
            Partition any = partitions.get(random.nextInt(partitions.size()));
            if (any.depth() < PartitionMap.MAX_DEPTH) {
                split(partitions, any.number());
            }
        }
        PartitionMap map = PartitionMap.of(DIRECTORY, partitions);
        for (Partition each : partitions) {
            assertThat(map.of(each.firstHash())).isEqualTo(each);
            assertThat(map.of(each.lastHash())).isEqualTo(each);
        }
        for (int i = 0; i < 1_000; i++) {
            long hash = random.nextLong();
            assertThat(partitions.stream().filter(each -> each.has(hash))).containsExactly(map.of(hash));
        }
        assertThat(PartitionMap.fromProto(map.toProto())).isEqualTo(map).hasSameHashCodeAs(map);
    }
}
