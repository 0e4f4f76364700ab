package io.steadfs.mds.session;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.error.FsError;
import io.steadfs.mds.session.proto.RecordedReply;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The recorded replies to legs of requests. A reply is kept until the client says that it has received the answer to
 * the request.
 *
 * <pre>
 *  0x02, session 8, request id 8, start 8, source start 8
 * </pre>
 */
public final class RecordedReplies {
    private static final byte TAG = 0x02;
    /** Tag of the replies in {@link LifeTables}, to legs that changed only these tables. */
    private static final byte VOLATILE_TAG = 0x06;

    private static final int REQUEST_AT = 1 + Long.BYTES;
    private static final int START_AT = REQUEST_AT + Long.BYTES;
    private static final int SOURCE_AT = START_AT + Long.BYTES;

    private RecordedReplies() {}

    /**
     * Returns the recorded reply to the leg; empty if the leg has not been decided before.
     *
     * @param kind kind of the present request. If the reply was recorded for another kind, the result is a refusal with
     *     INVALID_ARGUMENT
     */
    public static Optional<Reply> find(ReadView view, long session, Leg leg, Kind kind) {
        return view.get(ShardTables.SESSION, key(session, leg))
                .or(() -> view.get(LifeTables.CLAIM, volatileKey(session, leg)))
                .map(value -> decode(session, leg.requestId(), kind, value));
    }

    /** Like {@link #legs}, for replies that only this life of the shard keeps. */
    public static List<Leg> volatileLegs(ReadView view, long session, long from, long to, int limit) {
        return legs(
                view,
                LifeTables.CLAIM,
                Keys.of(VOLATILE_TAG, session, from),
                Keys.of(VOLATILE_TAG, session, to),
                limit);
    }

    /**
     * Legs of a session that have a recorded reply, in rising order of request ids, but at most {@code limit}.
     *
     * @param from the lowest request id to return
     * @param to the first request id that is not returned any more
     */
    public static List<Leg> legs(ReadView view, long session, long from, long to, int limit) {
        return legs(view, ShardTables.SESSION, Keys.of(TAG, session, from), Keys.of(TAG, session, to), limit);
    }

    private static List<Leg> legs(ReadView view, Table table, byte[] from, byte[] to, int limit) {
        List<Leg> legs = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(table, from, to)) {
            while (legs.size() < limit && cursor.next()) {
                byte[] key = cursor.key();
                legs.add(
                        new Leg(Keys.longAt(key, REQUEST_AT), Keys.longAt(key, START_AT), Keys.longAt(key, SOURCE_AT)));
            }
        }
        return legs;
    }

    static byte[] key(long session, Leg leg) {
        return key(TAG, session, leg);
    }

    static byte[] volatileKey(long session, Leg leg) {
        return key(VOLATILE_TAG, session, leg);
    }

    private static byte[] key(byte tag, long session, Leg leg) {
        byte[] key = Arrays.copyOf(Keys.of(tag, session, leg.requestId()), SOURCE_AT + Long.BYTES);
        Keys.putLong(key, START_AT, leg.start());
        Keys.putLong(key, SOURCE_AT, leg.source());
        return key;
    }

    static byte[] encode(Kind kind, Reply reply) {
        RecordedReply.Builder row = RecordedReply.newBuilder()
                .setKind(kind.number())
                .setHeader(reply.header().toByteString());
        ByteString body = reply.body().toByteString();
        return row.setBody(body).build().toByteArray();
    }

    private static Reply decode(long session, long requestId, Kind kind, byte[] value) {
        try {
            RecordedReply row = RecordedReply.parseFrom(value);
            if (row.getKind() != kind.number()) {
                return Reply.refused(
                        kind,
                        FsError.INVALID_ARGUMENT,
                        "request " + requestId + " of session " + Session.name(session) + " was of kind number "
                                + row.getKind() + " before, now it is " + kind);
            }
            ReplyHeader header = ReplyHeader.parseFrom(row.getHeader());
            FsError error = FsError.byCode(header.getError())
                    .orElseThrow(() -> new IllegalStateException("recorded reply has error " + header.getError()));
            return new Reply(error, header, kind.replyParser().parseFrom(row.getBody()), Payload.EMPTY);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(
                    "recorded reply " + requestId + " of session " + Session.name(session) + " cannot be decoded", e);
        }
    }
}
