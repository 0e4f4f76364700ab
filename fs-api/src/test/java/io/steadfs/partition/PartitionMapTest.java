package io.steadfs.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.handle.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionMapTest {
    private static final Handle DIRECTORY = Handle.of(Handle.shardOwner(2), 0, 77);

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
    void splitGivesTheUpperHalfAway(String splits, String hash, int owner) {
        PartitionMap map = PartitionMap.initial(DIRECTORY, 4);
        for (String split : splits.isEmpty() ? new String[0] : splits.split(" ", -1)) {
            map = map.split(Integer.parseInt(split));
        }
        assertThat(map.ownerOf(Long.parseUnsignedLong(hash, 16))).isEqualTo(owner);
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "1, 3", "2, 0", "3, 1", "4, 2", "1073741823, 1"})
    void partitionsGoAroundTheShards(int partition, int shard) {
        assertThat(PartitionMap.initial(DIRECTORY, 4).shardOf(partition)).isEqualTo(shard);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "1, 0, 1", "2, 1, 1", "-1, 1, 1", "0, 31, 1", "0, -1, 1"})
    void impossibleEntriesAreRefused(int partition, int depth, long version) {
        assertThatThrownBy(() -> PartitionMap.builder(DIRECTORY, 4).put(partition, depth, version))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("partition");
    }

    @Test
    void mapsOfAnotherDirectoryAreNotMerged() {
        PartitionMap map = PartitionMap.initial(DIRECTORY, 4);
        assertThatThrownBy(() -> map.merge(PartitionMap.initial(Handle.ROOT, 4)))
                .hasMessageContaining(Handle.ROOT.toString());
        assertThatThrownBy(() -> map.merge(PartitionMap.initial(DIRECTORY, 5))).hasMessageContaining("5");
    }

    @Test
    void noHandleOfAnIoServerHasAMap() {
        assertThatThrownBy(() -> PartitionMap.fromProto(io.steadfs.wire.proto.PartitionMap.newBuilder()
                        .setDirectory(Handle.of(1, 0, 1).value())
                        .setShards(1)
                        .build()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void mergeTakesTheNewerEntryOfEachPartition() {
        PartitionMap whole = PartitionMap.initial(DIRECTORY, 4).split(0).split(1);
        PartitionMap shrunk = PartitionMap.builder(DIRECTORY, 4).put(1, 1, 9).build();
        for (PartitionMap merged : List.of(whole.merge(shrunk), shrunk.merge(whole))) {
            assertThat(merged.depthOf(1)).hasValue(1);
            assertThat(merged.versionOf(1)).isEqualTo(9);
            assertThat(merged.ownerOf(-1L)).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void rangesHoldEveryHashOnce(long seed) {
        Random random = new Random(seed);
        PartitionMap map = grown(random, PartitionMap.initial(DIRECTORY, 4), 200);
        List<Integer> inOrder = new ArrayList<>();
        for (int partition : map.partitions()) {
            inOrder.add(partition);
        }
        inOrder.sort((a, b) -> Long.compareUnsigned(PartitionMap.firstHash(a), PartitionMap.firstHash(b)));
        long next = 0;
        for (int partition : inOrder) {
            assertThat(PartitionMap.firstHash(partition)).isEqualTo(next);
            long last = PartitionMap.lastHash(partition, map.depthOf(partition).orElseThrow());
            assertThat(map.ownerOf(next)).isEqualTo(partition);
            assertThat(map.ownerOf(last)).isEqualTo(partition);
            next = last + 1;
        }
        assertThat(next).as("the last range ends with the last hash").isZero();
        assertThat(PartitionMap.fromProto(map.toProto())).isEqualTo(map).hasSameHashCodeAs(map);
    }

    /** Each shard knows only its own partitions; a client that knows an old map finds the owner in a few questions. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13, 14, 15})
    void staleMapsLeadToTheOwner(long seed) {
        Random random = new Random(seed);
        PartitionMap old = grown(random, PartitionMap.initial(DIRECTORY, 4), random.nextInt(50));
        PartitionMap truth = grown(random, old, 150);
        for (int i = 0; i < 500; i++) {
            PartitionMap known = random.nextBoolean() ? old : PartitionMap.initial(DIRECTORY, 4);
            long hash = random.nextLong();
            int owner = truth.ownerOf(hash);
            int questions = 0;
            while (known.ownerOf(hash) != owner) {
                assertThat(++questions).isLessThanOrEqualTo(PartitionMap.MAX_DEPTH);
                known = known.merge(knownTo(known.shardOf(known.ownerOf(hash)), truth));
            }
        }
    }

    private static PartitionMap grown(Random random, PartitionMap from, int splits) {
        PartitionMap map = from;
        for (int i = 0; i < splits; i++) {
            int[] partitions = map.partitions();
            int partition = partitions[random.nextInt(partitions.length)];
            if (map.depthOf(partition).orElseThrow() < PartitionMap.MAX_DEPTH) {
                map = map.split(partition);
            }
        }
        return map;
    }

    private static PartitionMap knownTo(int shard, PartitionMap truth) {
        PartitionMap.Builder own = PartitionMap.builder(DIRECTORY, truth.shards());
        for (int partition : truth.partitions()) {
            if (truth.shardOf(partition) == shard) {
                own.put(partition, truth.depthOf(partition).orElseThrow(), truth.versionOf(partition));
            }
        }
        return own.build();
    }
}
