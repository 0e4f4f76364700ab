package io.steadfs.mds.copy;

import io.steadfs.config.ConfigKey;
import io.steadfs.mds.pipeline.AncestorCopies;
import io.steadfs.mds.pipeline.CopyRules;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Both tables of a shard's copies, and the rules that the writer and readers keep (docs/decisions/0029).
 *
 * <pre>
 *  decide with copies ─► publish the end of their terms ─► look once more ─► commit ─► durable
 *                                 │                             └─ over: the batch is thrown away
 *                                 └─ over before durable: the batch is late, and readers wait
 * </pre>
 */
public final class ShardCopies implements CopyRules {
    public static final ConfigKey<Long> TERM = ConfigKey.number(
            "stead.mds.copies.term",
            10_000,
            100,
            600_000,
            "milliseconds",
            "How long a metadata shard may use a copy of a directory of another shard, before it asks again. A change of"
                    + " that directory waits so long for a shard that does not answer. Much longer than a message between"
                    + " two shards takes there and back, and than a commit takes. Make it shorter only while all shards"
                    + " answer: a shard that starts with a shorter term does not know of longer ones that it gave.");

    /** A shard that is well gives copies back within milliseconds. */
    private static final long LONG_WAIT_MILLIS = 1000;

    private final Clock clock;
    private final int shard;
    private final HeldCopies held;
    private final GivenCopies given;

    /** Names that lead to directories, and rows of directories, that decisions change. */
    private final LongAdder changedNames = new LongAdder();

    private final LongAdder changedRows = new LongAdder();

    /** The end of the batch that is being committed. */
    private volatile HeldCopies.Term published = HeldCopies.Term.ENDLESS;

    public ShardCopies(Clock clock, int shard, HeldCopies held, GivenCopies given) {
        this.clock = clock;
        this.shard = shard;
        this.held = held;
        this.given = given;
    }

    public HeldCopies held() {
        return held;
    }

    public GivenCopies given() {
        return given;
    }

    /** Asks the other shards to drop what an earlier life of this shard gave. */
    public void beginLife(int shards) {
        given.admit(shards);
        if (shards > 1) {
            given.beginLife(shard, shards);
        }
    }

    /** Ends what the shard asks of others by itself. */
    public void close() {
        given.close();
    }

    @Override
    public BatchCopies begin() {
        return new OfBatch(held.forBatch());
    }

    @Override
    public void durable() {
        published = HeldCopies.Term.ENDLESS;
    }

    @Override
    public Hold hold(List<LogRecord> records, ReadView before) {
        if (given.isAlone()) {
            return Hold.NONE;
        }
        List<CopyKey> changed = CopiedRows.changedBy(records, before);
        Hold hold = given.hold(shard, changed);
        if (hold.isFree()) {
            // A change that waits is decided again.
            changed.forEach(key -> (key.name().isEmpty() ? changedRows : changedNames).increment());
        }
        return hold;
    }

    /** Whether a batch is not durable although a term that it was decided within is over. Then no reader may begin. */
    public boolean isLate() {
        return published.isOver(clock);
    }

    /** Counters by dotted name. */
    public Map<String, Long> counters() {
        return Map.of(
                "copies.changes.names", changedNames.sum(),
                "copies.changes.rows", changedRows.sum(),
                "copies.asked", held.asked(),
                "copies.dropped", held.recalled(),
                "copies.recalls", given.recalls(),
                "copies.overdue", given.overdue(),
                "copies.waits", given.waits(),
                "copies.waits.micros", given.waitedMicros());
    }

    /** Gauges by dotted name. */
    public Map<String, Long> gauges() {
        GivenCopies.Waiting waiting = given.waiting();
        Map<String, Long> gauges = new TreeMap<>();
        gauges.put("copies.held", (long) held.size());
        gauges.put("copies.given", (long) given.out());
        gauges.put("copies.waiting", (long) waiting.changes());
        waiting.awaited().forEach((holder, copies) -> gauges.put("copies.awaited-" + holder, copies));
        return gauges;
    }

    /** What an operator should know: that a shard does not give copies back, so changes wait. */
    public Optional<String> problem() {
        GivenCopies.Waiting waiting = given.waiting();
        return waiting.longestMillis() < LONG_WAIT_MILLIS
                ? Optional.empty()
                : Optional.of("shard " + shard + ": changes of directories wait for copies of "
                        + waiting.awaited().keySet().stream()
                                .map(holder -> "shard " + holder)
                                .collect(Collectors.joining(", "))
                        + ", " + waiting.changes() + " of them, the first since " + waiting.longestMillis()
                        + " ms; each waits " + given.longestMillis() + " ms at most");
    }

    /** Copies for a read. The reader takes its view afterwards. */
    public HeldCopies.Use beginRead() {
        return held.forView();
    }

    private final class OfBatch implements BatchCopies {
        private final HeldCopies.Use use;

        OfBatch(HeldCopies.Use use) {
            this.use = use;
        }

        @Override
        public AncestorCopies copies() {
            return use;
        }

        @Override
        public boolean publish() {
            published = use.end();
            return !use.end().isOver(clock);
        }
    }
}
