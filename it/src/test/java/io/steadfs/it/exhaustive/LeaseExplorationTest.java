package io.steadfs.it.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.it.exhaustive.Exploration.Trace;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No state of the models of leases is wrong; and each rule of theirs is needed: without it there is one. States, time and the
 * shortest ways to the wrong ones are printed.
 */
class LeaseExplorationTest {
    private static HandleLeaseOfAClient client(boolean faithful) {
        return new HandleLeaseOfAClient(new HandleLeaseOfAClient.Kind(Explored.LONG ? 3 : 2, faithful));
    }

    private static HandleLeaseOfAShard.Kind shard(int leases, int handles, int generations, boolean copies) {
        return new HandleLeaseOfAShard.Kind(leases, handles, generations, copies);
    }

    @Test
    void theLeaseOfAClientEndsWell() {
        assertThat(Explored.of(client(true))).isEmpty();
    }

    /** One of its files may be without bytes for ever then. */
    @Test
    void noTwoFilesHaveBytesInOneDatafile() {
        assertThat(Explored.of(client(false))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "FENCE, V2: file 0 is there",
        "FENCE_ON_EVERY_SHARD, V2: file 0 is there",
        "ATTACH, V2: file 0 is there",
        "FENCE_AFTER_THE_HOLDERS_WORD, V2: file 0 is there",
        "FENCE_OF_LAZY_HANDLES, V2: file 0 is there",
        "KEEPING_OF_NAMED_HANDLES, V2: file 0 is there",
        "RECORD_OF_REFUSALS, V2: file 0 is there",
        "RECORD_OF_CREATES, V2: file 0 is there",
        "TOMBSTONE, V5: handle 0 was removed"
    })
    void everyRuleOfAClientsLeaseIsNeeded(HandleLeaseOfAClient.Without rule, String wrong) {
        // Only a client that names a handle in two files needs the first one.
        boolean faithful = rule != HandleLeaseOfAClient.Without.ATTACH;
        HandleLeaseOfAClient.Kind kind = new HandleLeaseOfAClient.Kind(2, faithful).without(rule);
        Optional<Trace> found = Explored.of(new HandleLeaseOfAClient(kind));
        assertThat(found).isPresent();
        assertThat(found.get().wrong()).startsWith(wrong);
    }

    @Test
    void oneLeaseOfAShardEndsWell() {
        assertThat(Explored.of(new HandleLeaseOfAShard(shard(1, 2, 3, false)))).isEmpty();
    }

    @Test
    void twoLeasesOfAShardEndWell() {
        assertThat(Explored.of(new HandleLeaseOfAShard(Explored.LONG ? shard(2, 1, 3, false) : shard(2, 1, 2, false))))
                .isEmpty();
    }

    @Test
    void theLeaseOfAShardWhoseStoreIsPutBackEndsWell() {
        assertThat(Explored.of(new HandleLeaseOfAShard(Explored.LONG ? shard(1, 2, 3, true) : shard(1, 1, 3, true))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GENERATION_OF_REPORTS, V2: a file has",
        "ONE_REPORT, V2: a file has",
        "RECORD_OF_REPORTS, V2: a file has",
        "REPORT_BEFORE_GRANTS, V2: a file has",
        "GENERATION_OF_GRANTS, V2: a file has",
        "SETTLING, V2: a file has",
        "KNOWING_THE_COPY, V4: handle",
        "INSISTING_ON_THE_COPY, V2: a file has",
        "GENERATION_FROM_OUTSIDE, V2: a file has"
    })
    void everyRuleOfAShardsLeasesIsNeeded(HandleLeaseOfAShard.Without rule, String wrong) {
        boolean copies = switch (rule) {
            case KNOWING_THE_COPY, INSISTING_ON_THE_COPY, GENERATION_FROM_OUTSIDE -> true;
            default -> false;
        };
        Optional<Trace> found =
                Explored.of(new HandleLeaseOfAShard(shard(2, 1, 3, copies).without(rule)));
        assertThat(found).isPresent();
        assertThat(found.get().wrong()).startsWith(wrong);
    }
}
