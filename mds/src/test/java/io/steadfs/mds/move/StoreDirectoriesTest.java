package io.steadfs.mds.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.disk.Forced;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the directories of stores that move. */
class StoreDirectoriesTest {
    private final Path data;
    private final StoreDirectories stores;

    StoreDirectoriesTest(@TempDir Path data) {
        this.data = data;
        this.stores = new StoreDirectories(data);
    }

    private static void fill(Path store, String content) throws IOException {
        Files.createDirectories(store.resolve("archive"));
        Files.writeString(store.resolve("CURRENT"), content);
        Files.writeString(store.resolve("archive/000001.log"), content);
    }

    @Test
    void whatHasArrivedTakesThePlaceOfAnOlderStore() throws Exception {
        fill(stores.of(3), "old");
        Path arriving = stores.beginArriving(3);
        fill(arriving, "new");
        assertThat(stores.hasArriving(3)).isTrue();
        assertThat(Forced.during(() -> stores.completeArriving(3))).contains(data);
        assertThat(arriving).doesNotExist();
        assertThat(stores.of(3).resolve("CURRENT")).hasContent("old");
        assertThat(Forced.during(() -> stores.settleArrived(3))).contains(data);
        assertThat(stores.of(3).resolve("CURRENT")).hasContent("new");
        assertThat(stores.hasArriving(3)).isFalse();
        stores.settleArrived(3);
        assertThat(stores.of(3).resolve("CURRENT")).as("a second time").hasContent("new");
    }

    @Test
    void aNewBeginningLeavesNothingOfAnEarlierMove() throws Exception {
        fill(stores.beginArriving(3), "first");
        stores.completeArriving(3);
        assertThat(stores.beginArriving(3)).isEmptyDirectory();
        assertThat(stores.arrived(3)).doesNotExist();
        fill(stores.arriving(3), "second");
        assertThat(stores.beginArriving(3)).isEmptyDirectory();
    }

    @Test
    void onlyWhatIsMeantIsRemoved() throws Exception {
        for (Path each : new Path[] {
            stores.of(3),
            stores.moving(3),
            stores.arriving(3),
            stores.arrived(3),
            stores.of(30),
            data.resolve("shard-3.damaged-1"),
            data.resolve("shard-03"),
            data.resolve("shards-3")
        }) {
            fill(each, "x");
        }
        assertThat(stores.shards()).containsExactly(3, 30);
        stores.removeMoving(3);
        assertThat(stores.moving(3)).doesNotExist();
        assertThat(stores.of(3)).exists();
        stores.removeGone(3);
        assertThat(stores.of(3)).doesNotExist();
        assertThat(stores.arrived(3)).exists();
        stores.removeArriving(3);
        assertThat(stores.shards()).containsExactly(30);
        assertThat(data.resolve("shard-3.damaged-1")).exists();
        assertThat(data.resolve("shard-03")).exists();
        assertThat(data.resolve("shards-3")).exists();
        stores.removeGone(5);
    }

    /** Else the files of another directory would go. */
    @Test
    void aLinkIsNotFollowed() throws Exception {
        Path elsewhere = data.resolve("elsewhere");
        fill(elsewhere, "x");
        fill(stores.of(3), "x");
        Files.createSymbolicLink(stores.of(3).resolve("link"), elsewhere);
        stores.removeGone(3);
        assertThat(stores.of(3)).doesNotExist();
        assertThat(elsewhere.resolve("CURRENT")).exists();
    }
}
