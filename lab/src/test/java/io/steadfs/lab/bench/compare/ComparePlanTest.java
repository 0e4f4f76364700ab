package io.steadfs.lab.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.lab.bench.compare.work.WorkKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparePlanTest {
    @Test
    void workOfDataServersIsRehearsedHalfAsLongForEachOfThem() {
        ComparePlan plan = plan(4);
        assertThat(plan.rehearsalMillis(WorkKind.READ_4K)).isEqualTo(2 * plan.rehearsalMillis(WorkKind.STAT));
        assertThat(plan.rehearsalMillis(WorkKind.STREAM_WRITE)).isEqualTo(2 * plan.rehearsalMillis(WorkKind.CREATE));
    }

    @Test
    void oneDataServerIsRehearsedAsLongAsAMetadataServer() {
        ComparePlan plan = plan(1);
        assertThat(plan.rehearsalMillis(WorkKind.READ_4K)).isEqualTo(plan.rehearsalMillis(WorkKind.STAT));
    }

    @Test
    void numbersOutOfRangeAreRefusedByTheirOptions() {
        assertThatThrownBy(() -> plan(1, 0)).hasMessage("--rounds 0 is not between 1 and 1000");
    }

    private static ComparePlan plan(int dataServers) {
        return plan(dataServers, 1);
    }

    private static ComparePlan plan(int dataServers, int rounds) {
        return new ComparePlan(
                List.of(WorkKind.STAT), List.of(1), List.of(1), dataServers, 1, rounds, 0, 100, 200, 8, 0, 0);
    }
}
