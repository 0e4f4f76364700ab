package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventLoopsTest {
    /** What it would prepare takes most of the time of a process's first call. */
    @Test
    void nettyDoesNotTellTheFlightRecorderOfBuffers() {
        try (EventLoops loops = EventLoops.open("test", Settings.of(Map.of()))) {
            assertThat(System.getProperty("io.netty.jfr.enabled")).isEqualTo("false");
            assertThat(loops.isOver()).isFalse();
        }
    }
}
