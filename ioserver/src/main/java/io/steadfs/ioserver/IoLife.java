package io.steadfs.ioserver;

import io.steadfs.cluster.ConfirmedShards;
import io.steadfs.config.Settings;
import io.steadfs.disk.Space;
import io.steadfs.ioserver.datafile.DatafileFormat;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.duty.ConfirmDatafiles;
import io.steadfs.ioserver.duty.GenerationInquiry;
import io.steadfs.ioserver.duty.ReclaimLeases;
import io.steadfs.ioserver.file.DataFiles;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.Transport;
import io.steadfs.server.Life;
import io.steadfs.server.OpenedParts;
import io.steadfs.store.StoreClosedException;
import io.steadfs.store.mark.StoreMark;
import io.steadfs.store.mark.StoreMarks;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * One life of an IO server over its opened store. A life has the store, {@link IoCore} with its lanes, and the duties
 * for datafiles and leases.
 */
final class IoLife implements Life {
    private final OpenedParts opened = new OpenedParts();
    private final RocksStore store;
    private final IoCore core;

    /**
     * Objects that live longer than one life.
     *
     * @param handles gives handles for new datafiles in all lives of a process
     * @param marks recognises an older state of the store
     * @param readers runs reads; refuses reads beyond its bound
     * @param shards counts the shards for what needs all of them
     * @param problems gives problems of the process, which the status shows together with the core's own problems
     */
    record Dependencies(
            int serverId,
            DataFiles disk,
            Space space,
            ReservedHandles handles,
            StoreMarks marks,
            Clock clock,
            Scheduler scheduler,
            Executor readers,
            Transport transport,
            Supplier<Optional<ClusterMap>> cluster,
            ConfirmedShards shards,
            Supplier<List<String>> problems,
            MessageCounters messages) {}

    /**
     * Opens the store. The life is ready when the constructor returns.
     *
     * @throws IOException if something cannot be used, which the message names; nothing is left open then
     */
    IoLife(Path directory, Dependencies dependencies, Settings settings) throws IOException {
        try {
            store = opened.keep(RocksStore.openGrouped(directory, DatafileTables.ALL, settings, StoreMark.inLog()));
            DatafileFormat.STEPS.open(store, () -> dependencies.marks().check(store));
            opened.keep(dependencies.marks().open(store, store::syncs, dependencies.scheduler()));
            core = opened.keep(new IoCore(
                    dependencies.serverId(),
                    store,
                    dependencies.disk(),
                    dependencies.space(),
                    dependencies.handles().get(),
                    dependencies.clock(),
                    dependencies.readers(),
                    dependencies.cluster(),
                    dependencies.messages(),
                    settings));
            core.report(dependencies.problems());
            core.askGenerationsOf(new GenerationInquiry(dependencies.transport(), dependencies.cluster())::of);
            core.lanes().start();
            ConfirmDatafiles confirm = opened.keep(new ConfirmDatafiles(
                    store,
                    core.lanes(),
                    dependencies.transport(),
                    dependencies.cluster(),
                    dependencies.clock(),
                    dependencies.scheduler(),
                    dependencies.readers(),
                    core.counters(),
                    settings.get(ConfirmDatafiles.AFTER),
                    settings.get(ConfirmDatafiles.INTERVAL)));
            confirm.start();
            ReclaimLeases reclaim = opened.keep(new ReclaimLeases(
                    core.leases(),
                    core.lanes(),
                    dependencies.transport(),
                    dependencies.cluster(),
                    dependencies.shards(),
                    dependencies.scheduler(),
                    core.counters(),
                    settings.get(ReclaimLeases.INTERVAL)));
            core.validateBy(reclaim);
            reclaim.start();
        } catch (IOException | RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    @Override
    public RequestHandler door() {
        return core.requests();
    }

    @Override
    public Optional<End> end() {
        return core.failure().map(stopped -> new End(stopped.why(), stopped.storeFailed()));
    }

    @Override
    public Optional<StatusReply> account() {
        try {
            return Optional.of(core.status());
        } catch (StoreClosedException e) {
            return Optional.empty();
        }
    }

    @Override
    public void report(StatusReply.Builder status) {
        status.putAllGauges(store.gauges());
        status.putGauges("datafiles.about", store.rowsAbout(DatafileTables.DATAFILE));
    }

    /** Makes durable what can still be made durable, and closes files and store. */
    @Override
    public void close() {
        opened.close();
    }
}
