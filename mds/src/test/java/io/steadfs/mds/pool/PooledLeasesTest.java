package io.steadfs.mds.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.State;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PooledLeasesTest {
    private static final PooledLease OF_THREE = lease(1, 100, 3);
    private static final PooledLease OF_ONE = lease(1, 200, 1);

    private static PooledLease lease(int server, long first, int count) {
        return PooledLease.of(7, HandleRange.of(Handle.of(server, 0, first), count));
    }

    @Test
    void rowsAreReadAsTheyWereWritten() {
        PooledLease begun = OF_THREE.rest().orElseThrow();
        PooledLease other = lease(3, 100, 2);
        State state = State.of(new PoolChanged(1, List.of(begun, OF_ONE), 0), new PoolChanged(3, List.of(other), 0));
        assertThat(PooledLeases.of(state.view(), 1)).containsExactly(begun, OF_ONE);
        assertThat(PooledLeases.of(state.view(), 2)).isEmpty();
        assertThat(PooledLeases.all(state.view())).isEqualTo(Map.of(1, List.of(begun, OF_ONE), 3, List.of(other)));

        state.replay(List.of(new PoolChanged(1, List.of(), 2)));
        assertThat(PooledLeases.all(state.view())).isEqualTo(Map.of(3, List.of(other)));
        assertThat(state.view().get(ShardTables.POOL, Keys.of(1L))).isEmpty();
    }

    @Test
    void aLeaseEndsWithItsLastHandle() {
        assertThat(OF_THREE.count()).isEqualTo(3);
        PooledLease two = OF_THREE.rest().orElseThrow();
        assertThat(two.count()).isEqualTo(2);
        assertThat(two.first()).isEqualTo(OF_THREE.first());
        assertThat(two.next().sequence()).isEqualTo(101);
        assertThat(two.rest().flatMap(PooledLease::rest)).isEqualTo(Optional.empty());
        assertThat(OF_ONE.rest()).isEmpty();
    }

    @Test
    void theNextHandleIsOneOfTheLease() {
        Handle first = Handle.of(1, 0, 100);
        Handle last = Handle.of(1, 0, 102);
        assertThatThrownBy(() -> new PooledLease(7, first, Handle.of(1, 0, 103), last))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not in the lease");
        assertThatThrownBy(() -> new PooledLease(7, first, Handle.of(1, 0, 99), last))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Of a row of 64 bytes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 31, 33, 63})
    void aRowThatIsCutIsRefused(int bytes) {
        byte[] cut = Arrays.copyOf(PooledLeases.encode(List.of(OF_THREE, OF_ONE)), bytes);
        State state = State.of(view -> view.put(ShardTables.POOL, Keys.of(4L), cut));
        assertThatThrownBy(() -> PooledLeases.of(state.view(), 4))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("IO server 4 has " + bytes + " bytes");
    }

    @Test
    void aRowOfAnImpossibleLeaseIsRefused() {
        byte[] row = PooledLeases.encode(List.of(OF_ONE));
        row[row.length - 1]--;
        State state = State.of(view -> view.put(ShardTables.POOL, Keys.of(4L), row));
        assertThatThrownBy(() -> PooledLeases.all(state.view()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("leases of IO server 4");
    }
}
