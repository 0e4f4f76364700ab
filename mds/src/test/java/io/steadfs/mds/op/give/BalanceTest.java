package io.steadfs.mds.op.give;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.partition.PartitionMap;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BalanceTest {
    /** @param map number@depth/shard of each partition */
    private static PartitionMap map(String map) {
        List<Partition> partitions = new ArrayList<>();
        for (String each : map.split(" ", -1)) {
            String[] parts = each.split("[@/]", -1);
            Handle handle = Handle.of(Handle.shardOwner(Integer.parseInt(parts[2])), 0, 100 + partitions.size());
            partitions.add(new Partition(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), handle));
        }
        return PartitionMap.of(Handle.of(Handle.shardOwner(0), 0, 100), partitions);
    }

    @ParameterizedTest(name = "{0}, {1} shards of {2}: {3} goes from {4} to {5}")
    @CsvSource({
        // The usual place of partition p is shard p mod shards.
        "0@0/0,                          3, 3, 1@1, 0, 1",
        "0@1/0 1@1/1,                    3, 3, 2@2, 0, 2",
        // There it would have more than what is left: it goes to the shard that has least.
        "0@2/0 2@2/2 1@1/1,              3, 3, 3@2, 1, ",
        "0@1/0 1@1/1,                    3, 3, 3@2, 1, 2",
        "0@2/0 2@2/0 1@2/1 3@2/1,        3, 3, 3@2, 1, 2",
        "0@2/0 2@2/0 1@2/1 3@2/1,        4, 4, 2@2, 0, 2",
        // Partitions that go at the same time go to different ones of those that have least.
        "0@1/0 1@1/1,                    4, 4, 4@3, 0, 2",
        "0@1/0 1@1/1,                    4, 4, 5@3, 1, 3",
        "0@1/0 1@1/1,                    6, 6, 7@3, 1, 5",
        // Not beyond the shards that the directory may use.
        "0@1/0 1@1/1,                    2, 3, 3@2, 1, ",
        // Shards that have names are allowed before others that are nearer to the home shard, as after an addition.
        "0@2/0 2@2/0 1@2/0 3@2/3,        2, 4, 2@2, 0, 3",
        "0@2/0 2@2/0 1@2/0 3@2/3,        3, 4, 2@2, 0, 1",
        // All have the same.
        "0@2/0 2@2/2 1@2/1 3@2/3,        4, 4, 7@3, 3, ",
        // Parts of a directory whose shards are uneven.
        "0@2/0 2@2/2 1@2/1 3@3/1 7@3/1,  3, 3, 7@3, 1, 2",
        "0@2/0 2@2/2 1@3/1 5@3/1 3@3/1 7@3/0, 3, 3, 3@3, 1, ",
    })
    void rangesGoToShardsThatHaveLess(String map, int shards, int all, String range, int from, Integer target) {
        Balance balance = new Balance(map(map), 0, shards, all, 0);
        String[] parts = range.split("@", -1);
        Partition given = new Partition(
                Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Handle.of(Handle.shardOwner(from), 0, 99));
        if (target == null) {
            assertThat(balance.target(given, from)).isEmpty();
        } else {
            assertThat(balance.target(given, from)).hasValue(target);
        }
    }

    /** Also where the usual shard has little by the map, and refuses. */
    @Test
    void afterARefusalAnotherShardIsAsked() {
        PartitionMap map = map("0@1/0 1@1/1");
        Partition given = new Partition(3, 2, Handle.of(Handle.shardOwner(1), 0, 99));
        assertThat(IntStream.range(0, 6)
                        .map(refusals -> new Balance(map, 0, 5, 5, refusals)
                                .target(given, 1)
                                .orElseThrow()))
                .containsExactly(3, 3, 4, 2, 3, 4);
    }
}
