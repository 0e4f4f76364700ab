package io.steadfs.ioserver.duty;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Counters;
import io.steadfs.ioserver.lane.Lane;
import io.steadfs.ioserver.lane.LaneTask;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lane.Waiter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes leased datafiles that belong to no metafile and never will. */
final class UnusedHandles {
    private static final Logger LOG = LoggerFactory.getLogger(UnusedHandles.class);

    private final Lanes lanes;
    private final Counters counters;
    private final Set<Handle> used;

    /** @param used handles whose datafiles stay, even if their rows name no metafile */
    UnusedHandles(Lanes lanes, Counters counters, Set<Handle> used) {
        this.lanes = lanes;
        this.counters = counters;
        this.used = used;
    }

    void remove(List<HandleRange> ranges, Consumer<Boolean> whenDurable) {
        Map<Lane, List<Handle>> byLane = new LinkedHashMap<>();
        for (HandleRange range : ranges) {
            for (long i = 0; i < range.count(); i++) {
                Handle handle = new Handle(range.first().value() + i);
                byLane.computeIfAbsent(lanes.of(handle), unused -> new ArrayList<>())
                        .add(handle);
            }
        }
        Countdown open = new Countdown(byLane.size(), whenDurable);
        byLane.forEach((lane, handles) -> lane.submit(new Task(handles, open)));
    }

    private final class Task implements LaneTask {
        private final List<Handle> handles;
        private final Countdown open;

        Task(List<Handle> handles, Countdown open) {
            this.handles = handles;
            this.open = open;
        }

        @Override
        public void run(Batch batch) {
            for (Handle handle : handles) {
                if (!used.contains(handle)) {
                    try {
                        remove(handle, batch);
                    } catch (IOException e) {
                        counters.count("leases.unreadable");
                        LOG.warn("leased datafile stays: {}", e.getMessage());
                    }
                }
            }
            batch.afterCommit(open);
        }

        private void remove(Handle handle, Batch batch) throws IOException {
            Optional<OpenDatafile> datafile = batch.openToRemove(handle);
            if (datafile.isPresent() && datafile.get().row().isUnattached()) {
                batch.remove(datafile.get(), Waiter.then(() -> {}));
                counters.count("leases.reclaimed");
            }
        }

        @Override
        public void refuse(FsError error, String message) {
            open.failed(error, message);
        }
    }
}
