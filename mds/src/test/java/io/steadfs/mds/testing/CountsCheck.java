package io.steadfs.mds.testing;

import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotCount;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.FileCount;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.store.ReadView;

/** Checks that rows which count others are what a recount says. */
public final class CountsCheck {
    private static final int COORDINATORS = 16;

    private CountsCheck() {}

    /** Cheap where all is right, for it is asked after every batch. */
    public static void of(ReadView view) {
        for (Session session : Sessions.after(view, 0, Integer.MAX_VALUE)) {
            int written = OpenFiles.of(view, session.id(), Integer.MAX_VALUE).size();
            int unnamed = UnlinkedFiles.from(view, session.id(), Integer.MAX_VALUE)
                    .filter(group -> group.session() == session.id())
                    .map(group -> group.files().size())
                    .orElse(0);
            FileCount count = FileCount.of(view, session.id());
            if (count.written() != written || count.unnamed() != unnamed) {
                throw new AssertionError("session " + Session.name(session.id()) + " is counted with " + count
                        + ", and has " + written + " written and " + unnamed + " without a name");
            }
        }
        for (long session : FileCount.sessions(view)) {
            if (Sessions.find(view, session).isEmpty()) {
                throw new AssertionError("files are counted of session " + Session.name(session) + ", which is gone");
            }
        }
        int[] held = new int[COORDINATORS];
        PreparedSlots.all(view, Integer.MAX_VALUE).forEach(slot -> held[slot.coordinator()]++);
        for (int shard = 0; shard < COORDINATORS; shard++) {
            long count = SlotCount.of(view, shard).slots();
            if (count != held[shard]) {
                throw new AssertionError(
                        "slots held for shard " + shard + " are counted as " + count + ", and are " + held[shard]);
            }
        }
    }

    /** Checks the counts of claims, too. The view has the tables of a shard's life. */
    public static void ofLife(ReadView view) {
        of(view);
        for (Session session : Sessions.after(view, 0, Integer.MAX_VALUE)) {
            int claimed = Claims.of(view, session.id(), Integer.MAX_VALUE).size();
            if (Claims.count(view, session.id()) != claimed) {
                throw new AssertionError("session " + Session.name(session.id()) + " is counted with "
                        + Claims.count(view, session.id()) + " claims, and has " + claimed);
            }
        }
    }
}
