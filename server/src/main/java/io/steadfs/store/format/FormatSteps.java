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
 * The formats of one kind of store, and the steps between them. A store of any known format is brought to the newest when it is opened:
 *
 * <pre>
 *  the store has            and then
 *  no rows                  it gets the newest number
 *  rows and no number       it counts as of format {@value #FIRST}, the last one in which a store might have none
 *  a known number           the steps from there on run, in order
 *  an unfinished step       that step is repeated, then those behind it
 *  a newer or older number  it is refused, and not changed
 * </pre>
 *
 * <p><b>Invariant</b>: a store that says format n and no unfinished step has rows of format n alone. So a release that knows n may open it,
 * also one that is older than the release that failed to step further.
 */
public final class FormatSteps {
    /** The first format that has steps. No release opens an older one. */
    public static final long FIRST = 4;

    private static final Logger LOG = LoggerFactory.getLogger(FormatSteps.class);
    private static final byte[] END = Prefixes.endOfAll();

    private final List<Table> tables;
    private final FormatNumber number;
    private final List<FormatStep> steps;

    /** A check before the first change of a store. If it throws, the store stays as it is. */
    @FunctionalInterface
    public interface Before {
        void check() throws IOException;
    }

    /**
     * @param tables of the store
     * @param facts the table among them that has the number
     * @param steps the first from {@value #FIRST}, each further one from where the one before it ends
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

    /** Whether the row of facts under the key tells the format. */
    public static boolean isNumber(byte[] key) {
        return FormatNumber.isKey(key);
    }

    /** The format of every store that is open. */
    public long newest() {
        return FIRST + steps.size();
    }

    /** The format of the store; empty in one without a number. */
    public Optional<Long> of(ReadView view) throws IOException {
        try {
            return number.of(view);
        } catch (UncheckedIOException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Gives the newest number to rows without one: a salvage lost it. Returns whether it did. */
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
     * @param where names the store
     * @throws IOException with the number of the store and those that are known
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
     * Brings a store to the newest format. After a failure the store may be opened again by the same steps. Until the first batch of a step
     * is committed, a release without the step may open it, too.
     *
     * @param before called before the first change, if there is any
     * @throws IOException if the format is not known, if {@code before} refuses the store, or if a step fails
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
            // Not synced: if it is lost, all rows that were committed later are lost, too.
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
