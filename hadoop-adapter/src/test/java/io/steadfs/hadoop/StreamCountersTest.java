package io.steadfs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSnapshot;
import org.junit.jupiter.api.Test;

class StreamCountersTest {
    private final StreamCounters counters = new StreamCounters(List.of("bytes", "seeks"));

    @Test
    void aViewShowsAllCountersAsTheyAreNow() {
        IOStatistics view = counters.view();
        assertThat(view.counters()).containsExactlyInAnyOrderEntriesOf(Map.of("bytes", 0L, "seeks", 0L));
        counters.add("bytes", 40);
        counters.add("bytes", 2);
        counters.increment("seeks");
        assertThat(view.counters()).containsExactlyInAnyOrderEntriesOf(Map.of("bytes", 42L, "seeks", 1L));
    }

    @Test
    void aThreadGetsTheCountersOfAllItsStreams() {
        IOStatisticsSnapshot thread = new IOStatisticsSnapshot();
        counters.addTo(thread);
        assertThat(thread.counters()).isEmpty();
        counters.add("bytes", 42);
        counters.addTo(thread);
        assertThat(thread.counters()).containsExactlyInAnyOrderEntriesOf(Map.of("bytes", 42L, "seeks", 0L));
        StreamCounters second = new StreamCounters(List.of("seeks", "bytes"));
        second.add("bytes", 8);
        second.increment("seeks");
        second.addTo(thread);
        assertThat(thread.counters()).containsExactlyInAnyOrderEntriesOf(Map.of("bytes", 50L, "seeks", 1L));
    }

    @Test
    void anUnknownCounterIsRefused() {
        assertThatThrownBy(() -> counters.increment("writes")).hasMessageContaining("no counter writes");
    }
}
