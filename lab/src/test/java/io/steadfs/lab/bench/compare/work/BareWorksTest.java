package io.steadfs.lab.bench.compare.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.lab.bench.pace.Latencies;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BareWorksTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void eachRoundHasItsMessagesThereAndBack() throws Exception {
        RoundTrips trips = new RoundTrips();
        Latencies latencies = new Latencies();
        for (int round = 0; round < 2; round++) {
            trips.prepare(50);
            trips.run(50, latencies);
            trips.clean();
        }
        assertThat(latencies.count()).isEqualTo(100);
        assertThat(latencies.percentileMicros(50)).isPositive();
    }

    @Test
    void eachAppendIsInTheFile() throws Exception {
        Path file = folder.resolve("appended");
        Appends appends = new Appends(file);
        Latencies latencies = new Latencies();
        for (int round = 0; round < 2; round++) {
            appends.prepare(3);
            appends.run(3, latencies);
            assertThat(file).hasSize(3 * 4096);
            appends.clean();
            assertThat(Files.exists(file)).isFalse();
        }
        assertThat(latencies.count()).isEqualTo(6);
    }
}
