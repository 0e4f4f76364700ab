package io.steadfs.mds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.config.ConfigException;
import io.steadfs.config.Settings;
import io.steadfs.mds.testing.FixedInputs;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardShareTest {
    private static SortedSet<Integer> numbers(String text) {
        return Arrays.stream(text.split(" "))
                .filter(each -> !each.isEmpty())
                .map(Integer::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static SortedSet<Integer> configured(String text) {
        return Settings.of(Map.of(ShardShare.CONFIGURED.name(), text)).get(ShardShare.CONFIGURED);
    }

    private static ShardCounts counts(int shards) {
        return FixedInputs.counts(shards);
    }

    /** Added shards are dealt out to nobody: the addition names their hosts. */
    @Test
    void addedShardsBelongToNoShare() {
        ShardCounts added = new ShardCounts(2, 2, 4);
        assertThat(ShardShare.of(configured(""), 1, 2, added, numbers(""))).isEqualTo(numbers("0"));
        assertThat(ShardShare.of(configured(""), 1, 2, added, numbers("3"))).isEqualTo(numbers("0 3"));
        assertThat(ShardShare.of(configured("2"), 3, 2, added, numbers(""))).isEqualTo(numbers("2"));
        assertThatThrownBy(() -> ShardShare.of(configured("4"), 3, 2, added, numbers("")))
                .hasMessageContaining("the file system has 4 shard(s)");
    }

    @ParameterizedTest(name = "mds-{1} of {2} with ''{0}'', {3} shards, before {4}: {5}")
    @CsvSource({
        // configured, server, servers, shards, before, share
        "'',     1, 1, 1, '',  '0'",
        "'',     1, 1, 4, '',  '0 1 2 3'",
        "'',     1, 2, 5, '',  '0 2 4'",
        "'',     2, 2, 5, '',  '1 3'",
        "'',     3, 3, 3, '',  '2'",
        "'',     2, 2, 5, '4', '1 3 4'",
        "'',     3, 2, 5, '4', '4'",
        "'',     3, 2, 5, '',  ''",
        "'0, 2', 2, 2, 5, '',  '0 2'",
        "'0,2',  2, 2, 5, '1', '0 1 2'",
        "'4',    9, 2, 5, '',  '4'",
    })
    void table(String configured, int server, int servers, int shards, String before, String share) {
        assertThat(ShardShare.of(configured(configured), server, servers, counts(shards), numbers(before)))
                .isEqualTo(numbers(share));
    }

    @Test
    void everyShardHasExactlyOneHost() {
        for (int servers = 1; servers <= 9; servers++) {
            for (int shards = servers; shards <= 20; shards++) {
                int dealt = 0;
                SortedSet<Integer> all = new TreeSet<>();
                for (int server = 1; server <= servers; server++) {
                    SortedSet<Integer> share =
                            ShardShare.of(configured(""), server, servers, counts(shards), new TreeSet<>());
                    dealt += share.size();
                    all.addAll(share);
                }
                assertThat(dealt).isEqualTo(shards);
                assertThat(all).hasSize(shards);
            }
        }
    }

    @Test
    void whatCannotBeIsNamed() {
        assertThatThrownBy(() -> ShardShare.of(configured("1,5"), 1, 2, counts(5), new TreeSet<>()))
                .hasMessageContaining("mds-1 cannot host shard 5");
        for (String wrong : new String[] {"1,", "x", "-1", "256", "3,1,3"}) {
            assertThatThrownBy(() -> configured(wrong))
                    .as(wrong)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("stead.mds.shards: value '" + wrong + "'");
        }
    }
}
