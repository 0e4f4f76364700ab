package io.steadfs.mds.duty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.StoreClosedException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacerTest {
    private final SimulatedTime time = new SimulatedTime(1);
    private final List<String> done = new ArrayList<>();

    @Test
    void storeThatClosesBeneathAStoppedDutyIsNoFailure() {
        Pacer[] pacer = new Pacer[1];
        pacer[0] = new Pacer(time, 1000, () -> {
            done.add("round");
            pacer[0].stop();
            throw new StoreClosedException("store of the test");
        });
        pacer[0].start();
        time.runFor(5000);
        assertThat(done).containsExactly("round");
    }

    @Test
    void storeThatIsClosedBeneathALivingDutyIsOne() {
        Pacer pacer = new Pacer(time, 1000, () -> {
            throw new StoreClosedException("store of the test");
        });
        pacer.start();
        assertThatThrownBy(() -> time.runFor(500)).isInstanceOf(StoreClosedException.class);
    }
}
