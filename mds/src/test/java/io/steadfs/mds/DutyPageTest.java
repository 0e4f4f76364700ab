package io.steadfs.mds;

import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.duty.Duty;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.pages.Page;
import io.steadfs.pages.Rows;
import io.steadfs.pages.Sources;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.memory.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each duty is started by a shard, and has its row in docs/metadata-server.md. */
class DutyPageTest {
    private static List<String> declared() throws ClassNotFoundException {
        return Sources.ofType("mds", Duty.class);
    }

    private static ShardService service() {
        SimulatedTime time = new SimulatedTime(1);
        return new ShardService(
                Settings.of(Map.of()),
                new ShardService.Dependencies(
                        1,
                        0,
                        "root",
                        new MemoryStore(ShardTables.ALL),
                        time,
                        time,
                        new MemoryNetwork(time, 1).client("host", TestHello.peerIdentity()),
                        user -> Runnable::run,
                        () -> FixedInputs.CLUSTER,
                        FixedInputs.confirmed(1),
                        new AllHandles(),
                        Optional::empty,
                        FixedInputs.STARTS,
                        Map::of));
    }

    @Test
    void eachDutyIsStarted() throws ClassNotFoundException {
        Rows.match(
                "duties of ShardService",
                declared(),
                service().allDuties().stream()
                        .map(duty -> duty.getClass().getSimpleName())
                        .toList());
    }

    @Test
    void eachDutyHasItsRow() throws ClassNotFoundException {
        Page part = Page.of("docs/metadata-server.md").part("Duties");
        Rows.match(
                part.name(),
                declared(),
                part.table("duty", "when", "work in one go").codes("duty"));
    }

    private static final class AllHandles implements HandleReserve {
        @Override
        public Block block() {
            return new Block(0, 1, Handle.MAX_SEQUENCE);
        }

        @Override
        public void used(long next) {}
    }
}
