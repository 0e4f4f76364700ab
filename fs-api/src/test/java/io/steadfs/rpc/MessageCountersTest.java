package io.steadfs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.wire.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageCountersTest {
    @Test
    void countsByKindDirectionAndStep() {
        MessageCounters counters = new MessageCounters();
        counters.in(Kind.CREATE, "create");
        counters.in(Kind.CREATE, "create");
        counters.out(Kind.CONFIRM_DATAFILES, "");
        assertThat(counters.snapshot())
                .containsExactly(
                        Map.entry("messages.in.CREATE", 2L),
                        Map.entry("messages.out.CONFIRM_DATAFILES", 1L),
                        Map.entry("steps.create", 2L));
    }

    @Test
    void keepsABoundedNumberOfSteps() {
        MessageCounters counters = new MessageCounters();
        for (int i = 0; i < MessageCounters.MAX_STEPS + 50; i++) {
            counters.in(Kind.STAT, "step " + i);
        }
        counters.in(Kind.STAT, "x".repeat(65));
        assertThat(counters.snapshot())
                .hasSize(MessageCounters.MAX_STEPS + 2)
                .containsEntry("steps." + MessageCounters.OTHER_STEPS, 51L)
                .containsEntry("messages.in.STAT", 307L);
    }
}
