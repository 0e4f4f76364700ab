package io.steadfs.client.write;

import io.steadfs.client.call.Question;
import io.steadfs.client.call.Turns;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.CloseRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells the metafile's shard the file's length and new columns, by an ATTACH or CLOSE request. The request is the last
 * step of a flush. All methods must be called in the writer's turn.
 */
final class FlushRecord {
    private final Flushes flushes;
    private final SessionFile file;
    private final Turns turns;
    private final WriteFailure failure;
    private final List<ColumnWriter> columns;
    /**
     * Length of the file that the metafile's shard knows, in bytes. If another client asks the shard for the length,
     * the answer is at least this length.
     */
    private long told;

    /** Whether the shard has answered an ATTACH or CLOSE of this writer. Changes within a turn; any thread may read. */
    private volatile boolean answered;

    FlushRecord(Flushes flushes, SessionFile file, Turns turns, WriteFailure failure, List<ColumnWriter> columns) {
        this.flushes = flushes;
        this.file = file;
        this.turns = turns;
        this.failure = failure;
        this.columns = columns;
        this.told = file.info().length();
    }

    boolean isAnswered() {
        return answered;
    }

    /** Whether the flush needs a request to the shard. */
    boolean isWanted(Flush flush) {
        return flush.mode == Flush.Mode.CLOSE
                || flush.position > told
                || columns.stream().anyMatch(ColumnWriter::isUnattached);
    }

    /** Sends the request to the shard. The shard's answer completes the flush. */
    void send(Flush flush) {
        List<ColumnWriter> fresh = new ArrayList<>();
        List<AttachedColumn> attach = new ArrayList<>();
        for (ColumnWriter column : columns) {
            if (column.isUnattached()) {
                fresh.add(column);
                attach.add(AttachedColumn.newBuilder()
                        .setIndex(column.index())
                        .setDatafile(column.datafile().value())
                        .build());
            }
        }
        Question question = flush.mode == Flush.Mode.CLOSE ? close(flush, attach) : attach(flush, attach);
        var unused = file.ask(question)
                .whenComplete((reply, refused) -> turns.bring(() -> answered(flush, fresh, reply, refused)));
    }

    private Question close(Flush flush, List<AttachedColumn> attach) {
        Handle metafile = file.info().handle();
        return Question.metafile(
                Kind.CLOSE,
                "close",
                metafile,
                CloseRequest.newBuilder()
                        .setMetafile(metafile.value())
                        .setWriteGeneration(file.info().writeGeneration())
                        .addAllColumns(attach)
                        .setLength(flush.position)
                        .setUntouched(attach.isEmpty() && flush.position == 0 && isUntouched())
                        .build());
    }

    private boolean isUntouched() {
        return columns.stream().noneMatch(ColumnWriter::hasSent);
    }

    private Question attach(Flush flush, List<AttachedColumn> attach) {
        Handle metafile = file.info().handle();
        return Question.metafile(
                Kind.ATTACH,
                "attach",
                metafile,
                AttachRequest.newBuilder()
                        .setMetafile(metafile.value())
                        .setWriteGeneration(file.info().writeGeneration())
                        .addAllColumns(attach)
                        .setSyncedLength(flush.mode == Flush.Mode.SYNC ? flush.position : 0)
                        .setFlushedLength(flush.mode == Flush.Mode.FLUSH ? flush.position : 0)
                        .build());
    }

    private void answered(Flush flush, List<ColumnWriter> fresh, @Nullable Reply reply, @Nullable Throwable refused) {
        flush.recording = false;
        if (failure.isFinal()) {
            return;
        }
        if (reply == null) {
            failure.failAfter(refused);
            return;
        }
        reply.payload().release();
        answered = true;
        fresh.forEach(ColumnWriter::attached);
        told = Math.max(told, flush.position);
        flushes.finish(flush);
        flushes.advance();
    }
}
