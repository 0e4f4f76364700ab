package io.steadfs.mds.session;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.mds.session.proto.SessionRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads sessions from a state of the shard. */
public final class Sessions {
    private static final byte TAG = 0x01;

    private Sessions() {}

    public static Optional<Session> find(ReadView view, long id) {
        return view.get(ShardTables.SESSION, key(id)).map(value -> decode(id, value));
    }

    /** Whether the session is alive. A session without a row has ended, because the row is removed last. */
    public static boolean isAlive(ReadView view, long id) {
        return find(view, id).filter(session -> !session.ended()).isPresent();
    }

    /**
     * Sessions in the unsigned order of their ids, but at most {@code limit}.
     *
     * @param previous id behind which the result begins; 0 = from the start
     */
    public static List<Session> after(ReadView view, long previous, int limit) {
        List<Session> sessions = new ArrayList<>();
        byte[] from = Keys.after(key(previous));
        try (ReadView.Cursor cursor = view.scan(ShardTables.SESSION, from, Keys.endOf(Keys.of(TAG)))) {
            while (sessions.size() < limit && cursor.next()) {
                sessions.add(decode(Keys.longAt(cursor.key(), 1), cursor.value()));
            }
        }
        return sessions;
    }

    static byte[] key(long id) {
        return Keys.of(TAG, id);
    }

    static byte[] encode(Session session) {
        return SessionRow.newBuilder()
                .setClient(session.client())
                .setUser(session.user())
                .setFloor(session.floor())
                .setOpenedMillis(session.openedMillis())
                .setEnded(session.ended())
                .setHome(session.namedHome())
                .build()
                .toByteArray();
    }

    private static Session decode(long id, byte[] value) {
        try {
            SessionRow row = SessionRow.parseFrom(value);
            return new Session(
                    id,
                    row.getClient(),
                    row.getUser(),
                    row.getFloor(),
                    row.getOpenedMillis(),
                    row.getEnded(),
                    row.getHome());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("row of session " + Session.name(id) + " cannot be decoded", e);
        }
    }
}
