package io.steadfs.fsck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WayUpTest {
    private static Handle directory(int number) {
        return Handle.of(Handle.FIRST_SHARD_OWNER, 1, number);
    }

    private static List<Suspect> suspects(Work work) {
        List<Suspect> suspects = new ArrayList<>();
        try (ReadView.Cursor cursor = work.scan(WorkTables.SUSPECT, new byte[0])) {
            while (cursor.next()) {
                suspects.add(Suspect.decode(Work.handleIn(cursor.key()), cursor.value()));
            }
        }
        return suspects;
    }

    private static void below(Work work, int parent, int... directories) throws IOException {
        try (WorkBatch batch = work.batch()) {
            for (int each : directories) {
                batch.parent(directory(each), parent == 0 ? Handle.ROOT : directory(parent));
            }
            batch.commit();
        }
    }

    @Test
    void findsTheDirectoriesOfARingOnceAndNoOthers(@TempDir Path dir) throws IOException {
        try (Work work = Work.open(dir)) {
            below(work, 0, 1, 2);
            below(work, 2, 3);
            // 12 below 11 below 10 below 12, 13 and 14 hang on it, 20 is its own parent, 30 is below one without a
            // name.
            below(work, 11, 12);
            below(work, 10, 11);
            below(work, 12, 10, 13);
            below(work, 13, 14);
            below(work, 20, 20);
            below(work, 31, 30);

            new WayUp().run(work, new Pace(0));

            assertThat(suspects(work))
                    .containsExactly(
                            new Suspect(
                                    directory(10),
                                    Suspect.Why.BELOW_ITSELF,
                                    List.of(directory(12), directory(11), directory(10))),
                            new Suspect(directory(20), Suspect.Why.BELOW_ITSELF, List.of(directory(20))));
        }
    }

    @Test
    void goesOnWhereItWasWhenTheWorkIsOpenedAgain(@TempDir Path dir) throws IOException {
        int last = 25_000;
        try (Work work = Work.open(dir)) {
            try (WorkBatch batch = work.batch()) {
                for (int i = 2; i <= last; i++) {
                    batch.parent(directory(i), directory(i - 1));
                }
                batch.parent(directory(1), directory(last));
                batch.commit();
            }
            Pace ended = new Pace(0);
            ended.end();
            assertThatThrownBy(() -> new WayUp().run(work, ended)).hasMessageContaining("ended");
        }
        try (Work work = Work.open(dir)) {
            Pace pace = new Pace(0);
            new WayUp().run(work, pace);

            assertThat(pace.look().rows()).isEqualTo(last - 10_000L);
            assertThat(suspects(work))
                    .singleElement()
                    .extracting(each -> each.above().size())
                    .isEqualTo(last);
        }
    }
}
