package io.steadfs.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.StoreContract;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends StoreContract {
    private MemoryStore latest = new MemoryStore(TABLES);

    @Override
    protected Store open() {
        latest = latest.reopen();
        return latest;
    }

    @Override
    protected Store crash(Store store) {
        latest = latest.crash();
        return latest;
    }

    @Test
    void crashLosesWhatWasNotSynced() throws IOException {
        MemoryStore store = new MemoryStore(TABLES);
        commit(store, DIRENT, true, "a=1", "b=1");
        commit(store, DIRENT, false, "a=2", "c=2");
        commit(store, DIRENT, false, "a", "b=3");
        assertThat(store.unsyncedCommits()).isEqualTo(2);
        assertThat(store.syncs()).isEqualTo(1);
        assertThat(rows(store.crash().committed(), DIRENT)).containsExactly("a=1", "b=1");
    }

    @Test
    void crashMayKeepTheFirstOfThem() throws IOException {
        MemoryStore store = new MemoryStore(TABLES);
        commit(store, DIRENT, true, "a=1");
        commit(store, DIRENT, false, "a=2", "b=2");
        commit(store, DIRENT, false, "a", "b=3");
        assertThat(rows(store.crash(1).committed(), DIRENT)).containsExactly("a=2", "b=2");
    }

    @Test
    void failedCommitKeepsNothingAndIsTheLast() {
        MemoryStore store = new MemoryStore(TABLES);
        store.failNextCommit();
        try (Overlay overlay = store.overlay()) {
            overlay.put(DIRENT, bytes("a"), bytes("1"));
            assertThatThrownBy(() -> store.commit(overlay, true)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> store.commit(overlay, true)).hasMessageContaining("earlier");
        }
        assertThat(rows(store.committed(), DIRENT)).isEmpty();
    }
}
