package io.steadfs.store.format;

import io.steadfs.store.Overlay;
import io.steadfs.store.Prefixes;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.WriteView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the formats of one kind of store and the steps between them. When a store is opened, its rows are brought from
 * any known format to the newest one:
 *
 * <pre>
 *  the store has            and then
 *  no rows                  the store gets the newest number
 *  rows and no number       the store counts as format {@value #FIRST}, the last format without a number
 *  a known number           the steps from that number on run, in order
 *  an unfinished step       that step is repeated, then later steps run
 *  a newer or older number  the store is refused and not changed
 * </pre>
 *
 * <p><b>Invariant</b>: if a store has the number n and no unfinished step, all its rows have format n. So every release
 * that knows format n may open the store. If a step fails before its first commit, an older release may still open the
 * store.
 */
public final class FormatSteps {
    /** The first format that has steps. No release opens an older format. */
    public static final long FIRST = 4;

    private static final Logger LOG = LoggerFactory.getLogger(FormatSteps.class);
    private static final byte[] END = Prefixes.endOfAll();

    private final List<Table> tables;
    private final FormatNumber number;
    private final List<FormatStep> steps;

    /** A check before the first change of a store. If the check throws, the store is not changed. */
    @FunctionalInterface
    public interface Before {
        void check() throws IOException;
    }

    /**
     * @param tables all tables of the store
     * @param facts the table of facts, which has the format number
     * @param steps all steps in order. The first step starts from format {@value #FIRST}. Each later step starts where
     *     the step before it ends
     */
    public FormatSteps(List<Table> tables, Table facts, List<FormatStep> steps) {
        this.tables = List.copyOf(tables);
        this.number = new FormatNumber(facts);
        this.steps = List.copyOf(steps);
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).from() != FIRST + i) {
                throw new IllegalArgumentException("step " + (i + 1) + " starts from disk format "
                        + steps.get(i).from() + ", not " + (FIRST + i));
            }
        }
    }

    /** Whether this key of the table of facts belongs to a row about the format. */
    public static boolean isNumber(byte[] key) {
        return FormatNumber.isKey(key);
    }

    /** The newest format. Every open store has this format. */
    public long newest() {
        return FIRST + steps.size();
    }

    /** The format of the store; empty if the store has no number. */
    public Optional<Long> of(ReadView view) throws IOException {
        try {
            return number.of(view);
        } catch (UncheckedIOException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Gives the newest number to a store that lost its number in a salvage. Returns whether the store had no number.
     */
    public boolean numberIfNone(ReadView view, WriteView rows) throws IOException {
        boolean hasNone = of(view).isEmpty();
        if (hasNone) {
            number.put(rows, newest());
        }
        return hasNone;
    }

    /**
     * Refuses a store whose format this release does not know. Changes nothing.
     *
     * @param where names the store in messages
     * @throws IOException naming the format of the store and the formats that this release knows
     */
    public void check(ReadView view, String where) throws IOException {
        try {
            long found = number.of(view).orElse(FIRST);
            long next = number.next(view).orElse(found);
            if (found < FIRST || found > newest()) {
                throw new IOException(where + " has disk format " + found + "; " + known());
            }
            if (next != found && (next != found + 1 || next > newest())) {
                throw new IOException(where + " has disk format " + found + ", and rows of format " + next
                        + " from a step that is not finished; " + known());
            }
        } catch (UncheckedIOException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    private String known() {
        return "this release knows " + FIRST + (newest() == FIRST ? " alone" : " to " + newest())
                + ": use the release that wrote it";
    }

    /**
     * Brings a store to the newest format. After a failure, the store may be opened again with the same steps. A
     * release without a step may also open the store until the first batch of that step is committed.
     *
     * @param before the check to run before the first change. If nothing is to be changed, the check does not run
     * @throws IOException if this release does not know the format, {@code before} refuses the store, or a step fails
     */
    public void open(Store store, Before before) throws IOException {
        check(store.committed(), store.toString());
        Optional<Long> found = of(store.committed());
        if (found.isPresent() && found.get() == newest()) {
            return;
        }
        before.check();
        if (found.isEmpty()) {
            boolean isNew = isEmpty(store);
            // This commit needs no sync. If a loss of power loses it, all later commits are lost with it.
            try (Overlay rows = store.overlay()) {
                number.put(rows, isNew ? newest() : FIRST);
                store.commit(rows, false);
            }
        }
        long at = of(store.committed()).orElseThrow();
        for (FormatStep step : steps.subList(Math.toIntExact(at - FIRST), steps.size())) {
            run(step, store);
        }
    }

    private void run(FormatStep step, Store store) throws IOException {
        LOG.info("{} goes from disk format {} to {}", store, step.from(), step.from() + 1);
        try (Store.Snapshot rows = store.snapshot()) {
            FormatChanges changes = new FormatChanges(store, number, step.from());
            step.change(rows, changes);
            changes.end();
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    store + ": the step from disk format " + step.from() + " to " + (step.from() + 1) + " failed: "
                            + e.getMessage(),
                    e);
        }
    }

    private boolean isEmpty(Store store) {
        for (Table table : tables) {
            try (ReadView.Cursor rows = store.committed().scan(table, new byte[0], END)) {
                if (rows.next()) {
                    return false;
                }
            }
        }
        return true;
    }
}
