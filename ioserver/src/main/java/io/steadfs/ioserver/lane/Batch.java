package io.steadfs.ioserver.lane;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileRow;
import io.steadfs.ioserver.datafile.DatafileRows;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.datafile.StoredBytes;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import io.steadfs.rpc.Moment;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.WriteView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unit of work of a lane. Tasks read and change datafiles in a batch. The end of a batch takes these steps:
 *
 * <ol>
 *   <li>The lane syncs each file that needs a sync, once.
 *   <li>The lane syncs each directory with new files, once.
 *   <li>The lane commits all rows together.
 *   <li>The lane publishes the new views to readers.
 *   <li>The lane tells the waiters.
 *   <li>The lane cuts and deletes files.
 * </ol>
 *
 * Each step relies on the steps before it. So after a crash between two steps, the rows of the store mention only bytes
 * that exist. Used by the lane's thread only.
 */
public final class Batch {
    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);

    private final Lane lane;
    private final Overlay overlay;
    private final Set<OpenDatafile> made = new HashSet<>();
    private final Map<OpenDatafile, List<Waiter>> syncs = new LinkedHashMap<>();
    private final Map<OpenDatafile, List<Waiter>> commits = new LinkedHashMap<>();
    private final List<Waiter> others = new ArrayList<>();
    private final Set<OpenDatafile> changed = new LinkedHashSet<>();
    private final Set<OpenDatafile> evicted = new LinkedHashSet<>();
    private final List<OpenDatafile> cuts = new ArrayList<>();
    private final List<OpenDatafile> removed = new ArrayList<>();
    /** The tasks that wait for the end of the batch. */
    private final List<LaneTask> waiting = new ArrayList<>();

    private final StoredBytes.Change stored = new StoredBytes.Change();

    private Optional<LaneTask> running = Optional.empty();
    private boolean needsSync;

    Batch(Lane lane, Overlay overlay) {
        this.lane = lane;
        this.overlay = overlay;
    }

    /** Names the task that runs now. Waiters that are added from now on wait on behalf of this task. */
    void runs(LaneTask task) {
        running = Optional.of(task);
    }

    private void runningWaits() {
        running.ifPresent(waiting::add);
        running = Optional.empty();
    }

    /** The rows of the store with the changes of this batch. */
    public ReadView rows() {
        return overlay;
    }

    /** The newest datafile of a column; empty if the column has none. */
    public Optional<Handle> findColumn(Handle metafile, int index) throws IOException {
        return DatafileRows.findColumn(overlay, metafile, index);
    }

    /**
     * Returns the datafile, and reads it into the lane's memory if it is not there; empty if it does not exist.
     *
     * @throws IOException if the store cannot read the datafile's rows; nothing is changed in this case
     */
    public Optional<OpenDatafile> open(Handle handle) throws IOException {
        OpenDatafile open = lane.find(handle);
        if (open != null) {
            return Optional.of(open);
        }
        Optional<DatafileRow> row = find(handle);
        return row.isEmpty() ? Optional.empty() : Optional.of(keep(handle, row.get()));
    }

    /** Returns the datafile for a look at its row or for {@link #remove}, without reading its bytes and checksums. */
    public Optional<OpenDatafile> openToRemove(Handle handle) throws IOException {
        OpenDatafile open = lane.find(handle);
        if (open != null) {
            return Optional.of(open);
        }
        return find(handle)
                .map(row -> OpenDatafile.toRemove(handle, row, lane.settings().files()));
    }

    /** Returns a datafile whose row cannot be read, in order to remove the datafile; empty if the row can be read. */
    public Optional<OpenDatafile> openToDiscard(Handle handle) throws IOException {
        try {
            var unused = openToRemove(handle);
            return Optional.empty();
        } catch (UnreadableDatafileException e) {
            LOG.warn("{}; it is removed", e.getMessage());
            return Optional.of(OpenDatafile.toRemove(
                    handle, DatafileRow.unreadable(), lane.settings().files()));
        }
    }

    private Optional<DatafileRow> find(Handle handle) throws IOException {
        return DatafileRows.findLeased(overlay, handle, lane.settings().handlesOnly());
    }

    private OpenDatafile keep(Handle handle, DatafileRow row) throws IOException {
        OpenDatafile datafile = OpenDatafile.load(
                handle, row, overlay, lane.settings().files(), lane.settings().smallMostBytes());
        lane.keep(datafile);
        return datafile;
    }

    /** Makes a datafile with a handle that was never used before. */
    public OpenDatafile make(Handle handle, Handle metafile, int index, long generation) {
        OpenDatafile datafile = OpenDatafile.make(
                handle,
                metafile,
                index,
                generation,
                lane.settings().clock().wallMillis(),
                overlay,
                lane.settings().files(),
                lane.settings().smallMostBytes());
        lane.keep(datafile);
        made.add(datafile);
        needsSync = true;
        return datafile;
    }

    /** Puts the row of a leased datafile that has not been made yet. The row is durable with the batch. */
    public void reserve(OpenDatafile datafile) {
        datafile.reserve(overlay);
        changed.add(datafile);
        needsSync = true;
    }

    /** Attaches a leased datafile to the metafile that a first write names. */
    public void attach(OpenDatafile datafile, Handle metafile, int index, long generation) {
        datafile.attach(metafile, index, generation, lane.settings().clock().wallMillis(), overlay);
        changed.add(datafile);
    }

    /**
     * Attaches a leased datafile to the metafile that, according to the metafile's shard, lists it. The change is
     * durable with the batch.
     */
    public void attachConfirmed(OpenDatafile datafile, Handle metafile, int index) {
        datafile.attachConfirmed(metafile, index, overlay);
        changed.add(datafile);
        needsSync = true;
    }

    /** Returns a view for rows that belong to no open datafile. The rows are durable with the batch. */
    public WriteView durableRows() {
        needsSync = true;
        return overlay;
    }

    /** Makes the waiter wait for the commit of all changes of this batch. */
    public void afterCommit(Waiter waiter) {
        runningWaits();
        others.add(waiter);
    }

    /** Whether this batch makes the datafile, so that the store does not have the datafile until the commit. */
    public boolean isMadeHere(OpenDatafile datafile) {
        return made.contains(datafile);
    }

    /** Shows readers the present state of the datafile before the batch ends. */
    public void publish(OpenDatafile datafile) {
        lane.settings().visible().publish(datafile.view());
    }

    /** Makes the datafile durable in its state at the end of the batch. */
    public void sync(OpenDatafile datafile, Waiter waiter) {
        runningWaits();
        syncs.computeIfAbsent(datafile, unused -> new ArrayList<>()).add(waiter);
        changed.add(datafile);
    }

    /** Makes the waiter wait for the commit of the rows, even if the datafile is not synced. */
    public void afterCommit(OpenDatafile datafile, Waiter waiter) {
        changed.add(datafile);
        waitForCommit(datafile, waiter);
    }

    /** Cuts the file after the rows with the shorter length are committed. */
    public void cutAfterCommit(OpenDatafile datafile) {
        cuts.add(datafile);
    }

    /** Marks the datafile as listed by its metafile. If a crash loses the mark, the server asks the shard again. */
    public void confirm(Handle datafile) {
        DatafileRows.confirm(overlay, datafile);
    }

    private void waitForCommit(OpenDatafile datafile, Waiter waiter) {
        runningWaits();
        commits.computeIfAbsent(datafile, unused -> new ArrayList<>()).add(waiter);
    }

    /**
     * Removes the datafile. The batch removes its rows. The file is deleted after the commit.
     *
     * @param removal waits for the commit
     * @throws IOException if the store cannot tell which rows belong to the datafile; nothing is changed in this case
     */
    public void remove(OpenDatafile datafile, Waiter removal) throws IOException {
        datafile.remove(overlay, overlay, stored);
        if (lane.settings().handlesOnly().holds(datafile.handle())) {
            DatafileRows.putGone(overlay, datafile.handle());
        }
        lane.drop(datafile);
        removed.add(datafile);
        made.remove(datafile);
        changed.remove(datafile);
        List<Waiter> waiting = syncs.remove(datafile);
        if (waiting != null) {
            waiting.forEach(waiter -> waitForCommit(datafile, toldOfRemoval(datafile.handle(), waiter)));
        }
        waitForCommit(datafile, removal);
        needsSync = true;
    }

    /**
     * Makes a waiter for durable bytes fail, because the same batch later removes the datafile. The waiter's caller
     * must not believe that the bytes are durable.
     */
    private static Waiter toldOfRemoval(Handle datafile, Waiter waiter) {
        return Waiter.of(
                () -> waiter.failed(FsError.NO_SUCH_DATAFILE, "datafile " + datafile + " was removed"), waiter::failed);
    }

    /**
     * Ends the batch.
     *
     * @throws IOException if the commit failed, so that the lane must stop
     */
    void end() throws IOException {
        for (OpenDatafile eldest : lane.aboveBounds()) {
            evicted.add(eldest);
            if (eldest.isDirty()) {
                syncs.computeIfAbsent(eldest, unused -> new ArrayList<>());
            }
        }
        boolean writes = !syncs.isEmpty() || !overlay.isEmpty();
        if (writes) {
            waiting.forEach(task -> task.mark(Moment.COMMIT_BEGUN));
        }
        Set<OpenDatafile> durable = syncFiles();
        for (OpenDatafile datafile : durable) {
            needsSync |= datafile.isDirty();
            datafile.putRows(overlay, stored);
        }
        commit();
        if (writes) {
            waiting.forEach(task -> task.mark(Moment.COMMIT_ENDED));
        }
        for (OpenDatafile datafile : durable) {
            datafile.forgetCommitted();
        }
        publishAll(durable);
        tellWaiters(durable);
        cutAndDelete();
    }

    private Set<OpenDatafile> syncFiles() {
        Set<OpenDatafile> durable = new LinkedHashSet<>();
        Set<Integer> syncedDirectories = new HashSet<>();
        Map<OpenDatafile, IOException> failures = new LinkedHashMap<>();
        for (OpenDatafile datafile : syncs.keySet()) {
            try {
                if (datafile.syncFile()) {
                    lane.settings().counters().count("fsyncs.file");
                }
                durable.add(datafile);
            } catch (IOException e) {
                failures.put(datafile, e);
            }
        }
        for (OpenDatafile datafile : List.copyOf(durable)) {
            int directory = lane.settings().disk().directoryOf(datafile.handle());
            if (datafile.hasNewFile() && !syncedDirectories.contains(directory)) {
                try {
                    lane.settings().disk().syncDirectory(directory);
                    lane.settings().counters().count("fsyncs.directory");
                    syncedDirectories.add(directory);
                } catch (IOException e) {
                    durable.remove(datafile);
                    failures.put(datafile, e);
                }
            }
        }
        failures.forEach(this::syncFailed);
        return durable;
    }

    /** Puts a datafile back to its row after a failed sync, because it is unknown which later bytes the disk kept. */
    private void syncFailed(OpenDatafile datafile, IOException failure) {
        lane.forget(datafile);
        changed.remove(datafile);
        cuts.remove(datafile);
        datafile.abandon();
        String message = "datafile " + datafile.handle() + " in "
                + lane.settings().disk().locationOf(datafile.handle()) + " could not be synced, and is "
                + datafile.row().length() + " bytes long again: " + DiskErrors.message(failure);
        lane.failedSync(message);
        List<Waiter> waiters = new ArrayList<>(syncs.getOrDefault(datafile, List.of()));
        // A waiter for the commit alone would otherwise succeed, although this batch took its bytes back.
        waiters.addAll(commits.getOrDefault(datafile, List.of()));
        // The waiters are told now. They must not be told again if the commit fails too.
        syncs.remove(datafile);
        commits.remove(datafile);
        waiters.forEach(waiter -> waiter.failed(DiskErrors.of(failure), message));
    }

    private void commit() throws IOException {
        if (overlay.isEmpty()) {
            return;
        }
        StoredBytes sums = lane.settings().stored();
        sums.put(overlay, lane.number(), stored);
        try {
            lane.settings().store().commit(overlay, needsSync);
        } catch (IOException e) {
            failAll(
                    DiskErrors.of(e),
                    "the rows could not be committed, what the disk kept is unknown: " + e.getMessage());
            throw e;
        }
        sums.changed(lane.number(), stored);
        lane.settings().counters().count("store.commits");
        if (needsSync) {
            lane.settings().counters().count("store.syncs");
        }
    }

    private void tellWaiters(Set<OpenDatafile> durable) {
        List<Waiter> waiters = new ArrayList<>();
        durable.forEach(datafile -> waiters.addAll(syncs.getOrDefault(datafile, List.of())));
        commits.values().forEach(waiters::addAll);
        waiters.addAll(others);
        syncs.clear();
        commits.clear();
        others.clear();
        waiters.forEach(Waiter::done);
    }

    /** Tells all waiters that the outcome is unknown. */
    void failAll(FsError error, String message) {
        syncs.values().forEach(waiters -> waiters.forEach(waiter -> waiter.failed(error, message)));
        commits.values().forEach(waiters -> waiters.forEach(waiter -> waiter.failed(error, message)));
        others.forEach(waiter -> waiter.failed(error, message));
        syncs.clear();
        commits.clear();
        others.clear();
    }

    private void publishAll(Set<OpenDatafile> durable) {
        for (OpenDatafile datafile : changed) {
            publish(datafile);
        }
        for (OpenDatafile datafile : evicted) {
            if (durable.contains(datafile) || !datafile.isDirty()) {
                lane.forget(datafile);
                datafile.close();
            }
        }
        for (OpenDatafile datafile : removed) {
            lane.settings().visible().forget(datafile.handle());
        }
    }

    /**
     * Cuts and deletes files. A crash before the end leaves files that are longer than their rows or have no row. The
     * next start cleans up such files.
     */
    private void cutAndDelete() {
        for (OpenDatafile datafile : cuts) {
            try {
                datafile.cutFile();
            } catch (IOException e) {
                lane.failedSync("datafile " + datafile.handle() + " could not be cut: " + e.getMessage());
            }
        }
        for (OpenDatafile datafile : removed) {
            try {
                datafile.deleteFile();
            } catch (IOException e) {
                lane.failedSync("file of removed datafile " + datafile.handle() + " stays: " + e.getMessage());
            }
        }
    }
}
