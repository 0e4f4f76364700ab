package io.steadfs.ioserver.duty;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileRow;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.datafile.UnreadableDatafileException;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Counters;
import io.steadfs.ioserver.lane.Lane;
import io.steadfs.ioserver.lane.LaneTask;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lane.Waiter;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.wire.proto.FenceHandlesReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out a shard's answer that says which leased datafiles its metafiles list. Such a datafile belongs to its
 * metafile for ever, and no shard is asked about the datafile again.
 */
final class UsedHandles {
    private static final Logger LOG = LoggerFactory.getLogger(UsedHandles.class);

    private final Lanes lanes;
    private final Leases leases;
    private final Counters counters;
    private final Set<Handle> unread = ConcurrentHashMap.newKeySet();

    UsedHandles(Lanes lanes, Leases leases, Counters counters) {
        this.lanes = lanes;
        this.leases = leases;
        this.counters = counters;
    }

    /**
     * Attaches or confirms the datafiles of one answer. Must be called only once. Handles that {@link #unread} returns
     * afterwards are left as they are.
     */
    void settle(List<FenceHandlesReply.Used> used, Consumer<Boolean> whenDurable) {
        Map<Lane, List<FenceHandlesReply.Used>> byLane = new LinkedHashMap<>();
        for (FenceHandlesReply.Used each : used) {
            byLane.computeIfAbsent(lanes.of(new Handle(each.getDatafile())), unused -> new ArrayList<>())
                    .add(each);
        }
        Countdown open = new Countdown(byLane.size(), whenDurable);
        byLane.forEach((lane, mine) -> lane.submit(new Task(mine, open)));
    }

    /** Handles that a file lists, but whose datafiles may be missing, because the store could not be read. */
    Set<Handle> unread() {
        return Set.copyOf(unread);
    }

    private final class Task implements LaneTask {
        private final List<FenceHandlesReply.Used> used;
        private final Countdown open;

        Task(List<FenceHandlesReply.Used> used, Countdown open) {
            this.used = used;
            this.open = open;
        }

        @Override
        public void run(Batch batch) {
            for (FenceHandlesReply.Used each : used) {
                try {
                    settle(each, batch);
                } catch (IOException e) {
                    // The datafile stays as it is, and no later step removes it.
                    counters.count("leases.unreadable");
                    LOG.warn("leased datafile: {}", e.getMessage());
                    if (mayLackRow(new Handle(each.getDatafile()), e)) {
                        unread.add(new Handle(each.getDatafile()));
                    }
                }
            }
            batch.afterCommit(open);
        }

        /**
         * Whether the handle may lack a datafile. A handle that was leased without a datafile gets a datafile here,
         * before its lease ends. If the store could not read the row, the row may be missing. If the row was read but
         * cannot be decoded, it exists, and nothing more can be done.
         */
        private boolean mayLackRow(Handle datafile, IOException unreadable) {
            boolean isThere = unreadable instanceof UnreadableDatafileException
                    && !(unreadable.getCause() instanceof UncheckedIOException);
            return !isThere && leases.holds(datafile);
        }

        private void settle(FenceHandlesReply.Used each, Batch batch) throws IOException {
            Handle handle = new Handle(each.getDatafile());
            Handle metafile = new Handle(each.getMetafile());
            Optional<DatafileRow> row = batch.openToRemove(handle).map(OpenDatafile::row);
            if (row.isEmpty()) {
                return; // The datafile was removed with its file after the answer.
            }
            if (row.get().isUnattached()) {
                attach(each, batch);
            } else if (row.get().metafile().equals(metafile)) {
                batch.confirm(handle);
            } else {
                counters.count("leases.conflicts");
                LOG.error(
                        "metafile {} lists datafile {}, which belongs to metafile {}: two files were given one handle",
                        metafile,
                        handle,
                        row.get().metafile());
            }
        }

        private void attach(FenceHandlesReply.Used each, Batch batch) throws IOException {
            Handle handle = new Handle(each.getDatafile());
            Optional<OpenDatafile> datafile = batch.open(handle);
            if (datafile.isPresent()) {
                batch.attachConfirmed(datafile.get(), new Handle(each.getMetafile()), each.getIndex());
                batch.afterCommit(Waiter.then(() -> leases.settle(handle)));
                counters.count("leases.used");
            }
        }

        @Override
        public void refuse(FsError error, String message) {
            open.failed(error, message);
        }
    }
}
