package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The claims of sessions to write untouched metafiles. A metafile is untouched if its row names the session that made it
 * ({@code untouched_session}). The row alone says that the file is closed and empty. The claim says that the session has
 * the file open. The claim is in the heap only, so a close of an untouched file changes nothing durable.
 *
 * <p>A claim has force only if the metafile's row names the same session. So a row that changed ends the claim, whatever
 * this table says.
 *
 * <p>A restart of the shard forgets the claims. The sessions claim their files again. Until the grace is over, no other
 * session may append to or truncate an untouched metafile of an earlier life whose session is alive.
 */
public final class Claims {
    /** The most claims of one session. Further new files have a durable writer, because claims are kept in the heap. */
    public static final long MOST = 1_000;

    /**
     * The most claims of one session, with those that it claims again. A session may make {@link #MOST} files after a
     * restart, before it claims its older files again.
     */
    public static final long MOST_WITH_OLDER = 2 * MOST;

    /** The most characters of a path that a claim keeps. */
    static final int MOST_PATH_CHARACTERS = 500;

    private static final byte[] FORFEITED = "claims".getBytes(StandardCharsets.US_ASCII);

    static final byte CLAIM = 0x01;
    static final byte COUNT = 0x02;
    static final byte ENDED = 0x03;
    static final byte FIRST = 0x04;
    static final byte GRACE_OVER = 0x05;

    private Claims() {}

    /** Whether the session claims the metafile. */
    public static boolean has(ReadView view, long session, Handle metafile) {
        return view.get(LifeTables.CLAIM, key(session, metafile)).isPresent()
                && view.get(LifeTables.CLAIM, endedKey(metafile)).isEmpty();
    }

    /** The claim of a session; empty if there is none. */
    public static Optional<OpenFiles.Opened> find(ReadView view, long session, Handle metafile) {
        return view.get(LifeTables.CLAIM, key(session, metafile))
                .map(value -> OpenFiles.opened(session, metafile, value));
    }

    /**
     * Whether the metafile was made in an earlier life of the shard, and this life does not know that its claim ended.
     * The session that made the metafile may then still claim it, unless {@link ClaimsForfeited} says otherwise.
     */
    public static boolean mayBeClaimedAgain(ReadView view, Handle metafile) {
        return isOfEarlierLife(view, metafile)
                && view.get(LifeTables.CLAIM, endedKey(metafile)).isEmpty()
                && !isBefore(metafile, forfeited(view));
    }

    /** Whether the metafile was made before this life of the shard began. */
    public static boolean isOfEarlierLife(ReadView view, Handle metafile) {
        return isBefore(metafile, first(view));
    }

    private static boolean isBefore(Handle metafile, Optional<Handle> first) {
        return first.isPresent()
                && (metafile.incarnation() < first.get().incarnation()
                        || (metafile.incarnation() == first.get().incarnation()
                                && metafile.sequence() < first.get().sequence()));
    }

    /** Whether the first command of this life was decided. */
    public static boolean hasLifeBegun(ReadView view) {
        return first(view).isPresent();
    }

    /** Whether every live session had the time to claim its metafiles again. */
    public static boolean isGraceOver(ReadView view) {
        return view.get(LifeTables.CLAIM, Keys.of(GRACE_OVER)).isPresent();
    }

    /** Number of metafiles that the session claims. */
    public static long count(ReadView view, long session) {
        return view.get(LifeTables.CLAIM, countKey(session))
                .map(value -> Keys.longAt(value, 0))
                .orElse(0L);
    }

    /** Number of metafiles that at most the given number of sessions claim. */
    public static long sum(ReadView view, int sessions) {
        long sum = 0;
        byte[] prefix = Keys.of(COUNT);
        try (ReadView.Cursor cursor = view.scan(LifeTables.CLAIM, prefix, Keys.endOf(prefix))) {
            for (int met = 0; met < sessions && cursor.next(); met++) {
                sum += Keys.longAt(cursor.value(), 0);
            }
        }
        return sum;
    }

    /** Metafiles that the session claims, in handle order, but at most {@code limit}. */
    public static List<Handle> of(ReadView view, long session, int limit) {
        return OpenFiles.of(view, LifeTables.CLAIM, Keys.of(CLAIM, session), limit);
    }

    /**
     * Claims of all sessions, ordered by session and metafile.
     *
     * @param after the place behind which the result begins; empty = from the start
     * @param limit the highest number of claims to return
     */
    public static List<OpenFiles.Opened> after(ReadView view, Optional<OpenFiles.Place> after, int limit) {
        byte[] all = Keys.of(CLAIM);
        byte[] from = after.map(place -> Keys.after(key(place.session(), place.metafile())))
                .orElse(all);
        return OpenFiles.after(view, LifeTables.CLAIM, from, Keys.endOf(all), limit);
    }

    /** Whether a metafile of an earlier life may be claimed again, as far as this life knows. */
    public static boolean isAnyInDoubt(ReadView view) {
        Optional<Handle> first = first(view);
        return first.isPresent() && !first.equals(forfeited(view));
    }

    /** The handle of {@link LifeBegun}; empty before that was recorded. */
    private static Optional<Handle> first(ReadView view) {
        return view.get(LifeTables.CLAIM, Keys.of(FIRST)).map(value -> new Handle(Keys.longAt(value, 0)));
    }

    /** The handle of {@link ClaimsForfeited}; empty if that was never recorded. */
    public static Optional<Handle> forfeited(ReadView view) {
        return view.get(ShardTables.META, forfeitKey()).map(value -> new Handle(Keys.longAt(value, 0)));
    }

    static byte[] forfeitKey() {
        return FORFEITED.clone();
    }

    static byte[] key(long session, Handle metafile) {
        return Keys.of(CLAIM, session, metafile.value());
    }

    static byte[] countKey(long session) {
        return Keys.of(COUNT, session);
    }

    static byte[] endedKey(Handle metafile) {
        return Keys.of(ENDED, metafile.value());
    }
}
