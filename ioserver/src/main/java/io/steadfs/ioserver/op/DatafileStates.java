package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileView;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.wire.proto.DatafileState;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * Gathers the states of several datafiles from the lanes that own them. The states are in the order in which the
 * request names the datafiles. Thread-safe.
 */
final class DatafileStates {
    private final AtomicReferenceArray<DatafileState> states;
    private final AtomicInteger missing;
    private final Consumer<List<DatafileState>> whenAll;

    /** @param whenAll called once, by the thread that adds the last state; called at once if {@code count} is 0 */
    DatafileStates(int count, Consumer<List<DatafileState>> whenAll) {
        states = new AtomicReferenceArray<>(count);
        missing = new AtomicInteger(count);
        this.whenAll = whenAll;
        if (count == 0) {
            whenAll.accept(List.of());
        }
    }

    /** Adds the state at a position. Must be called once for each position. */
    void put(int position, DatafileState state) {
        states.set(position, state);
        if (missing.decrementAndGet() == 0) {
            DatafileState[] all = new DatafileState[states.length()];
            Arrays.setAll(all, states::get);
            whenAll.accept(List.of(all));
        }
    }

    /**
     * Returns the state of a datafile that cannot be reached now; empty if all were reached. A request that may safely
     * be repeated is refused as a whole if one of its datafiles cannot be reached.
     */
    static Optional<DatafileState> toRetry(List<DatafileState> states) {
        return states.stream()
                .filter(state ->
                        FsError.byCode(state.getError()).orElse(FsError.FAULT).resolver() == Resolver.RETRY)
                .findFirst();
    }

    static DatafileState of(OpenDatafile datafile) {
        return DatafileState.newBuilder()
                .setDatafile(datafile.handle().value())
                .setLength(datafile.length())
                .setSyncedLength(datafile.row().length())
                .setWriteGeneration(datafile.leastGeneration())
                .setMetafile(datafile.row().metafile().value())
                .build();
    }

    static DatafileState of(DatafileView datafile) {
        return DatafileState.newBuilder()
                .setDatafile(datafile.handle().value())
                .setLength(datafile.length())
                .setSyncedLength(datafile.row().length())
                .setWriteGeneration(
                        Math.max(datafile.row().seenGeneration(), datafile.row().sealedGeneration()))
                .setMetafile(datafile.row().metafile().value())
                .build();
    }

    static DatafileState refused(Handle datafile, FsError error, String message) {
        return DatafileState.newBuilder()
                .setDatafile(datafile.value())
                .setError(error.code())
                .setMessage(message)
                .build();
    }
}
