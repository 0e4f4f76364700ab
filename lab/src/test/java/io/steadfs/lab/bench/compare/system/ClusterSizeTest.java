package io.steadfs.lab.bench.compare.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ClusterSizeTest {
    @Test
    void numbersAreNamedInWords() {
        assertThat(new ClusterSize(1, 1, 4).text()).isEqualTo("1 for metadata with 1 shard, 4 for data");
        assertThat(new ClusterSize(2, 4, 1).text()).isEqualTo("2 for metadata with 4 shards, 1 for data");
    }

    @Test
    void eachMetadataServerHasAShard() {
        assertThatThrownBy(() -> new ClusterSize(3, 2, 1))
                .hasMessage("--mds 3 is more than --shards 2: each metadata server hosts at least one shard");
        assertThat(new ClusterSize(256, 256, 100).mds()).isEqualTo(256);
    }

    @Test
    void numbersOutOfRangeAreRefusedByTheirOptions() {
        assertThatThrownBy(() -> new ClusterSize(0, 1, 1)).hasMessage("--mds 0 is not between 1 and 256");
        assertThatThrownBy(() -> new ClusterSize(1, 257, 1)).hasMessage("--shards 257 is not between 1 and 256");
        assertThatThrownBy(() -> new ClusterSize(1, 1, 101)).hasMessage("--io 101 is not between 1 and 100");
    }
}
