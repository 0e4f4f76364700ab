package io.steadfs.mds;

import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.record.CountRecord;
import io.steadfs.mds.record.LogRecord;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the wrong count rows that a commit corrected. A count row counts other rows. */
final class Recounts implements CommitListener {
    private static final Logger LOG = LoggerFactory.getLogger(Recounts.class);

    private final int shard;
    private final LongAdder recounts = new LongAdder();

    Recounts(int shard) {
        this.shard = shard;
    }

    @Override
    public void committed(List<LogRecord> records) {
        for (LogRecord each : records) {
            if (each instanceof CountRecord count) {
                Optional<String> wrong = count.wrong();
                if (wrong.isPresent()) {
                    recounts.increment();
                    LOG.warn("shard {}: {}", shard, wrong.get());
                }
            }
        }
    }

    /** Number of count rows that were corrected since the start. */
    long total() {
        return recounts.sum();
    }
}
