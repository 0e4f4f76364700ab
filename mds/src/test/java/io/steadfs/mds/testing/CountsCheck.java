package io.steadfs.mds.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotCount;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.session.FileCount;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.store.ReadView;
import java.util.List;

/** Checks that rows which count others are what a recount says. */
public final class CountsCheck {
    private static final int COORDINATORS = 8;

    private CountsCheck() {}

    public static void of(ReadView view) {
        for (Session session : Sessions.after(view, 0, Integer.MAX_VALUE)) {
            int written = OpenFiles.of(view, session.id(), Integer.MAX_VALUE).size();
            int unnamed = UnlinkedFiles.from(view, session.id(), Integer.MAX_VALUE)
                    .filter(group -> group.session() == session.id())
                    .map(group -> group.files().size())
                    .orElse(0);
            assertThat(FileCount.of(view, session.id()))
                    .as("count of session %s", Session.name(session.id()))
                    .isEqualTo(new FileCount(written, unnamed));
        }
        for (long session : FileCount.sessions(view)) {
            assertThat(Sessions.find(view, session))
                    .as("session %s, whose files are counted", Session.name(session))
                    .isPresent();
        }
        List<SlotId> slots = PreparedSlots.all(view, Integer.MAX_VALUE);
        for (int shard = 0; shard < COORDINATORS; shard++) {
            int coordinator = shard;
            assertThat(SlotCount.of(view, coordinator))
                    .as("count of slots held for shard %s", coordinator)
                    .isEqualTo(slots.stream()
                            .filter(slot -> slot.coordinator() == coordinator)
                            .count());
        }
    }
}
