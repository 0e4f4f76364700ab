package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.call.Session;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClaimFilesRequest;
import io.steadfs.wire.proto.ClaimedFile;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Claims a session's untouched files again. A metadata shard keeps the claims of untouched files in its memory only, so
 * a restart of the shard forgets the claims. The client sends the claims three times in a duration of its session, and so
 * within the time that a restarted shard waits for them.
 */
public final class Claims {
    /** The most files in one message. */
    private static final int MOST = 1_000;

    /** The most characters of a path that the shard keeps. */
    private static final int MOST_PATH_CHARACTERS = 500;

    private final Courier courier;
    private final LongSupplier traceIds;

    public Claims(Courier courier, LongSupplier traceIds) {
        this.courier = courier;
        this.traceIds = traceIds;
    }

    /** Sends the claims of all untouched files that the session has open. Does not wait for the answers. */
    public void send(Session session, Collection<StripedWriter> open) {
        Map<Integer, ClaimFilesRequest.Builder> byShard = new TreeMap<>();
        for (StripedWriter writer : open) {
            if (writer.isClaimedIn(session)) {
                int shard = writer.metafile().shard();
                ClaimFilesRequest.Builder request =
                        byShard.computeIfAbsent(shard, unused -> ClaimFilesRequest.newBuilder());
                request.addFiles(ClaimedFile.newBuilder()
                        .setMetafile(writer.metafile().value())
                        .setWriteGeneration(writer.writeGeneration())
                        .setPath(shortened(writer.operation().subject())));
                if (request.getFilesCount() == MOST) {
                    send(session, shard, request.build());
                    byShard.remove(shard);
                }
            }
        }
        byShard.forEach((shard, request) -> send(session, shard, request.build()));
    }

    private void send(Session session, int shard, ClaimFilesRequest request) {
        Operation operation = new Operation(traceIds.getAsLong(), "claims of session " + session);
        // One try. A later one could come after the file was closed, and the file is claimed again anyway.
        var unused = courier.tryOnce(
                        operation, Question.shard(Kind.CLAIM_FILES, "claim files", shard, request), session.stamp())
                .whenComplete((reply, failure) -> {
                    // A file that could not be claimed fails with its next request, which has the reason.
                    if (reply != null) {
                        reply.payload().release();
                    }
                });
    }

    private static String shortened(String path) {
        return path.substring(0, Math.min(path.length(), MOST_PATH_CHARACTERS));
    }
}
