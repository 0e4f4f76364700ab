package io.steadfs.mds.duty;

import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.GivingGone;
import io.steadfs.mds.partition.GivingSet;
import io.steadfs.mds.partition.proto.GivingRow.What;
import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Since when directories of a shard give names, and how their hand overs ended (docs/decisions/0033-partitions.md). A
 * restart of the shard forgets both. May be used by any thread.
 */
public final class HandOvers implements CommitListener {
    private final Clock clock;
    private final Map<Handle, Begin> begun = new ConcurrentHashMap<>();
    private final LongAdder splits = new LongAdder();
    private final LongAdder merges = new LongAdder();
    private final LongAdder moves = new LongAdder();
    private final LongAdder halvings = new LongAdder();
    private final LongAdder kept = new LongAdder();
    private final LongAdder names = new LongAdder();
    private final LongAdder micros = new LongAdder();

    private record Begin(long wallMillis, long nanos) {}

    public HandOvers(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void committed(List<LogRecord> records) {
        for (LogRecord each : records) {
            if (each instanceof GivingSet set) {
                begun.put(set.directory(), new Begin(clock.wallMillis(), clock.monotonicNanos()));
            } else if (each instanceof GivingGone gone) {
                end(gone);
            }
        }
    }

    private void end(GivingGone gone) {
        Optional<Begin> begin = Optional.ofNullable(begun.remove(gone.directory()));
        if (gone.given().isEmpty()) {
            kept.increment();
            return;
        }
        GivingGone.Given given = gone.given().get();
        counter(given.what()).increment();
        names.add(given.names());
        begin.ifPresent(each -> micros.add(TimeUnit.NANOSECONDS.toMicros(clock.monotonicNanos() - each.nanos())));
    }

    private LongAdder counter(What what) {
        return switch (what) {
            case MERGED -> merges;
            case MOVED -> moves;
            case HALVED -> halvings;
            case UPPER_HALF, UNRECOGNIZED -> splits;
        };
    }

    /** When the directory began to give names, in milliseconds since 1970. Empty if that was before the shard's start. */
    public OptionalLong sinceMillis(Handle directory) {
        Begin begin = begun.get(directory);
        return begin == null ? OptionalLong.empty() : OptionalLong.of(begin.wallMillis());
    }

    /** Counters by dotted name. */
    public Map<String, Long> counters() {
        return Map.of(
                "partitions.splits", splits.sum(),
                "partitions.merges", merges.sum(),
                "partitions.moves", moves.sum(),
                "partitions.halvings", halvings.sum(),
                "partitions.kept", kept.sum(),
                "partitions.moved.names", names.sum(),
                "partitions.moved.micros", micros.sum());
    }
}
