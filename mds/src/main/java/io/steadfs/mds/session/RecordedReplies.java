package io.steadfs.mds.session;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.error.FsError;
import io.steadfs.mds.session.proto.RecordedReply;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What requests were answered, kept until the client says that it has seen the answer. */
public final class RecordedReplies {
    private static final byte TAG = 0x02;

    private RecordedReplies() {}

    /**
     * The reply given to this request, if it was decided before.
     *
     * @param kind of the request that asks; a reply recorded for another kind is refused as INVALID_ARGUMENT
     */
    public static Optional<Reply> find(ReadView view, long session, long requestId, Kind kind) {
        return view.get(ShardTables.SESSION, key(session, requestId))
                .map(value -> decode(session, requestId, kind, value));
    }

    /** Ids in {@code from}..{@code to} (excluded) with a recorded reply, rising, so many at most. */
    public static List<Long> ids(ReadView view, long session, long from, long to, int limit) {
        List<Long> ids = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(ShardTables.SESSION, key(session, from), key(session, to))) {
            while (ids.size() < limit && cursor.next()) {
                ids.add(Keys.longAt(cursor.key(), 1 + Long.BYTES));
            }
        }
        return ids;
    }

    static byte[] key(long session, long requestId) {
        return Keys.of(TAG, session, requestId);
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
