package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.simulation.SimulatedTime;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.slf4j.event.SubstituteLoggingEvent;
import org.slf4j.helpers.SubstituteLogger;

class RateLimitedLogTest {
    private final SimulatedTime time = new SimulatedTime(1);
    private final Queue<SubstituteLoggingEvent> lines = new ArrayDeque<>();
    private final RateLimitedLog log = new RateLimitedLog(new SubstituteLogger("test", lines, false), time);

    private void warn(int times) {
        for (int i = 0; i < times; i++) {
            log.warn("peer", "bad input");
        }
    }

    @Test
    void tenLinesInTenSecondsAndThenHowManyWereLeftOut() {
        warn(10);
        assertThat(lines).hasSize(10);
        warn(3);
        time.runFor(9_999);
        warn(1);
        assertThat(lines).hasSize(10);
        time.runFor(1);
        lines.clear();
        warn(11);
        assertThat(lines).hasSize(10);
        assertThat(lines.remove().getArgumentArray()).containsExactly("peer", "bad input", 4L);
        assertThat(lines.remove().getArgumentArray()).containsExactly("peer", "bad input");
    }
}
