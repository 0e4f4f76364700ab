package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.DiskErrors;
import io.steadfs.ioserver.lane.Lane;
import io.steadfs.ioserver.lane.LaneTask;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lane.Waiter;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.RequestHandler.Call;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Does the same thing to each of several datafiles, on the lanes that own them. Each lane gets one task for all of its
 * datafiles.
 */
final class OnLanes {
    /** The highest number of datafiles in one request. */
    static final int MOST_DATAFILES = 4096;

    /**
     * The step for one datafile on its lane. The step puts the datafile's state at the position, at once or at the end
     * of the batch.
     */
    interface Step {
        void run(Batch batch, OpenDatafile datafile, int position) throws IOException;
    }

    /** Finds the datafile on its lane. */
    interface Finding {
        Optional<OpenDatafile> find(Batch batch, Handle handle) throws IOException;
    }

    private final int serverId;
    private final Lanes lanes;

    OnLanes(int serverId, Lanes lanes) {
        this.serverId = serverId;
        this.lanes = lanes;
    }

    /**
     * Whether one request may have {@code count} datafiles. If the number is too high, this method answers the call.
     */
    static boolean checkCount(Call call, int count) {
        return checkCount(call, count, MOST_DATAFILES);
    }

    /**
     * Whether {@code count} is at most {@code most}, the highest number of datafiles in the request. If the number is
     * too high, this method answers the call.
     */
    static boolean checkCount(Call call, int count, int most) {
        if (count > most) {
            IoOperation.refuse(call, FsError.TOO_LARGE, count + " datafiles in one request, at most " + most + " go");
            return false;
        }
        return true;
    }

    /**
     * Takes the step for each datafile. If a datafile does not exist here, cannot be read, or cannot be reached now,
     * its state says so. A handle that is named twice is visited twice.
     *
     * @param step may throw only before it changes anything
     */
    void each(Call call, List<Long> datafiles, DatafileStates states, Finding finding, Step step) {
        Map<Lane, List<Integer>> byLane = new LinkedHashMap<>();
        for (int position = 0; position < datafiles.size(); position++) {
            Handle handle = new Handle(datafiles.get(position));
            if (handle.owner() != serverId) {
                states.put(
                        position,
                        DatafileStates.refused(handle, FsError.NOT_OWNER, IoOperation.notOwner(handle, serverId)));
            } else {
                byLane.computeIfAbsent(lanes.of(handle), unused -> new ArrayList<>())
                        .add(position);
            }
        }
        byLane.forEach((lane, positions) -> lane.submit(new Task(call, datafiles, positions, states, finding, step)));
    }

    /** A waiter that puts the datafile's state after the commit of the batch. */
    static Waiter putState(DatafileStates states, int position, OpenDatafile datafile) {
        return Waiter.of(
                () -> states.put(position, DatafileStates.of(datafile)),
                (error, message) -> states.put(position, DatafileStates.refused(datafile.handle(), error, message)));
    }

    private record Task(
            Call call, List<Long> datafiles, List<Integer> positions, DatafileStates states, Finding finding, Step step)
            implements LaneTask {
        @Override
        public void mark(Moment moment) {
            call.mark(moment);
        }

        @Override
        public void run(Batch batch) {
            if (call.isCancelled()) {
                refuse(FsError.CANCELLED, "given up before it began");
                return;
            }
            for (int position : positions) {
                Handle handle = new Handle(datafiles.get(position));
                try {
                    runOne(batch, handle, position);
                } catch (IOException e) {
                    states.put(position, DatafileStates.refused(handle, DiskErrors.of(e), DiskErrors.message(e)));
                }
            }
        }

        private void runOne(Batch batch, Handle handle, int position) throws IOException {
            Optional<OpenDatafile> datafile = finding.find(batch, handle);
            if (datafile.isPresent()) {
                step.run(batch, datafile.get(), position);
            } else {
                states.put(position, DatafileStates.refused(handle, FsError.NO_SUCH_DATAFILE, "no datafile " + handle));
            }
        }

        @Override
        public void refuse(FsError error, String message) {
            for (int position : positions) {
                states.put(position, DatafileStates.refused(new Handle(datafiles.get(position)), error, message));
            }
        }
    }
}
