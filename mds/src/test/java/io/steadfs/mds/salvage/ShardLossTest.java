package io.steadfs.mds.salvage;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.IntentsSkipped;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.state.LossIncarnation;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;

class ShardLossTest {
    private static final int SESSIONS = 25_000;

    private static boolean hasPool(ReadView view) {
        try (ReadView.Cursor cursor = view.scan(ShardTables.POOL, new byte[0], new byte[] {-1, -1})) {
            return cursor.next();
        }
    }

    @Test
    void nothingIsGivenOutAgain() throws Exception {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        try (Overlay rows = store.overlay()) {
            for (int id = 1; id <= SESSIONS; id++) {
                new SessionPut(new Session(id, "test", "anna", 1, 5, false)).replay(rows);
            }
            new IntentsSkipped(7).replay(rows);
            rows.put(ShardTables.POOL, new byte[] {0, 0, 0, 0, 0, 0, 0, 1}, new byte[] {1});
            store.commit(rows, true);
        }
        assertThat(LossIncarnation.generationAfter(store.committed(), 5)).isEqualTo(6);
        assertThat(hasPool(store.committed())).isTrue();
        try (Overlay rows = store.overlay()) {
            ShardLoss.write(rows, 3);
            store.commit(rows, true);
        }
        ReadView view = store.committed();
        assertThat(Sessions.after(view, 0, SESSIONS + 1)).hasSize(SESSIONS).allMatch(Session::ended);
        assertThat(Intents.next(view)).isGreaterThanOrEqualTo(3L << 40);
        assertThat(hasPool(view)).isFalse();
        assertThat(LossIncarnation.generationAfter(view, 5)).isEqualTo(3L << 32);
        assertThat(LossIncarnation.generationAfter(view, (3L << 32) + 9)).isEqualTo((3L << 32) + 10);
        // The next loss goes on above all that this one gives out.
        try (Overlay rows = store.overlay()) {
            ShardLoss.write(rows, 4);
            assertThat(Intents.next(rows)).isGreaterThanOrEqualTo(4L << 40);
            assertThat(LossIncarnation.generationAfter(rows, (3L << 32) + 9)).isEqualTo(4L << 32);
        }
    }
}
