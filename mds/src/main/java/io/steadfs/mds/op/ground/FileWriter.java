package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.ClaimTerms;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.ClaimEnded;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.FileOpened;
import io.steadfs.mds.session.FileReleased;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who may write a file. At most one session may write a file at a time:
 *
 * <pre>
 *  row of the metafile                      claim of S                        who may write the file
 *  ---------------------------------------  --------------------------------  ---------------------------------
 *  writer_session = S                                                         S
 *  untouched_session = S, S is alive        there                             S
 *  the same, and made in an earlier life    none, and S did not close the     S; others must wait until the grace is
 *                                           file in this life                 over ({@link #isInDoubt})
 *  anything else                                                              nobody
 * </pre>
 *
 * These rules hold at every moment:
 *
 * <ol>
 *   <li>The row alone decides what is durable: an untouched file is closed and has no bytes. So the end of a claim
 *       changes nothing durable.
 *   <li>What gives a session the right to write changes the row, and ends {@code untouched_session}: an append raises
 *       the write generation, the first attach of the claiming session makes the session the writer. So does a change
 *       of the modification time of a claimed file. So a claim has no force over a later writer, whatever became of
 *       the claim.
 *   <li>Only the session that made a file claims it, and a session claims no file that it has closed. A client that
 *       closes a file untouched has sent no write and no attach of this file.
 *   <li>As long as the session of {@code untouched_session} is alive, no IO server is told that a datafile of the file
 *       can never be attached. So an attach may come however late.
 * </ol>
 *
 * @param session the session that may write the file; 0 = no session may
 * @param isInDoubt whether the session must first claim the file again before others may rely on it
 */
public record FileWriter(long session, boolean isInDoubt) {
    private static final FileWriter NOBODY = new FileWriter(0, false);

    /** @param view a state of this shard, with its claims */
    public static FileWriter of(ReadView view, Handle file, MetafileRow row) {
        if (row.getWriterSession() != 0) {
            return new FileWriter(row.getWriterSession(), false);
        }
        long session = row.getUntouchedSession();
        if (session == 0) {
            return NOBODY;
        }
        // A reader beside the writer of the shard sees claims change while it looks. A file is claimed again only
        // during the grace.
        boolean isGraceOver = Claims.isGraceOver(view);
        boolean isClaimed = Claims.has(view, session, file);
        boolean isInDoubt = !isClaimed && !isGraceOver && Claims.mayBeClaimedAgain(view, file);
        return (isClaimed || isInDoubt) && Sessions.isAlive(view, session)
                ? new FileWriter(session, isInDoubt)
                : NOBODY;
    }

    /**
     * Whether the file is open, for a reader beside the writer. The reader's row may be older than the claims. So a file
     * without a claim is looked at again in the newest state.
     */
    public static boolean isOpen(ReadView view, Handle file, MetafileRow row) {
        if (row.getUntouchedSession() == 0) {
            return Metafiles.isOpen(row);
        }
        if (of(view, file, row).session() != 0) {
            return true;
        }
        // Only if the row is still the same, the claim was given up. Otherwise the file was open until the row changed.
        return !ClaimTerms.find(view.newest(), file).equals(Optional.of(ClaimTerms.of(row)));
    }

    /**
     * Whether a session may write the file now, or may come back and write it. Who takes the file must then raise the
     * write generation.
     */
    public static boolean mayBeWritten(ReadView view, Handle file, MetafileRow row) {
        long session = row.getUntouchedSession();
        return row.getWriterSession() != 0
                || (session != 0 && Sessions.isAlive(view, session) && mayWrite(view, session, file, row));
    }

    /**
     * Whether the session may write the file. The session that made an untouched file may write it even if its claim was
     * forgotten with an earlier life of the shard.
     */
    public static boolean mayWrite(ReadView view, long session, Handle file, MetafileRow row) {
        return row.getWriterSession() == session
                ? session != 0
                : row.getWriterSession() == 0
                        && row.getUntouchedSession() == session
                        && session != 0
                        && (Claims.has(view, session, file) || Claims.mayBeClaimedAgain(view, file));
    }

    /**
     * Records that end the right of the session that writes or claims the file. The caller also changes the row, unless
     * the session itself closes an untouched file.
     */
    public static List<LogRecord> ended(ReadView view, Handle file, MetafileRow row) {
        List<LogRecord> records = new ArrayList<>(1);
        if (row.getWriterSession() != 0) {
            records.add(new FileReleased(row.getWriterSession(), file));
        }
        if (row.getUntouchedSession() != 0 && Claims.has(view, row.getUntouchedSession(), file)) {
            records.add(new ClaimEnded(row.getUntouchedSession(), file));
        }
        return records;
    }

    /**
     * Makes the session that claims an untouched file the file's durable writer.
     *
     * @param row the row as it is
     * @param changed the row to come, which gets the writer
     * @return the records that go with the changed row: they end the claim, and note that the session writes the file
     */
    public static List<LogRecord> begun(ReadView view, Handle file, MetafileRow row, MetafileRow.Builder changed) {
        long session = row.getUntouchedSession();
        changed.setUntouchedSession(0).setWriterSession(session);
        List<LogRecord> records = new ArrayList<>(ended(view, file, row));
        records.add(Claims.find(view, session, file)
                .map(claim -> new FileOpened(session, file, claim.path(), claim.openedMillis()))
                .orElseGet(() -> new FileOpened(session, file)));
        return records;
    }

    /** The session's name, for people. */
    public String name() {
        return Session.name(session);
    }
}
