package io.steadfs.mds.duty;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.SealReply;
import io.steadfs.wire.proto.SealRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles files whose writer is gone: seals their datafiles under the raised write generation, so that the IO servers
 * refuse the late writer too, and then records the length that the sealed columns hold. Every step may be repeated. A
 * file with an IO server that does not answer is tried again in a later round; meanwhile the others go on.
 */
public final class FileRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(FileRecovery.class);

    /** Files under way at a time. */
    static final int MOST_AT_A_TIME = 16;

    private static final long INTERVAL_MILLIS = 5_000;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final IoServers servers;
    private final Completion completion;
    private final Pacer pacer;

    /** Owned by the scheduler's thread, as {@link #last}. */
    private final Set<Handle> underWay = new HashSet<>();

    /** Where this pass over the recovering files stands; the pass goes on when places become free. */
    private Handle last = Handle.NONE;

    private boolean passEnded = true;

    /** Makes the command that records the recovered length. */
    @FunctionalInterface
    public interface Completion {
        /** @param sealedLengths of all datafiles of the metafile; the command answers false to be asked again */
        InternalCommand<Boolean> of(Handle metafile, long generation, Map<Handle, Long> sealedLengths);
    }

    public FileRecovery(
            Supplier<ReadView> committed, Shard shard, IoServers servers, Scheduler scheduler, Completion completion) {
        this.committed = committed;
        this.shard = shard;
        this.servers = servers;
        this.completion = completion;
        this.pacer = new Pacer(scheduler, INTERVAL_MILLIS, this::round);
    }

    public void start() {
        pacer.start();
    }

    /** A file lost its writer; from any thread. */
    public void wake() {
        pacer.wake();
    }

    public void stop() {
        pacer.stop();
    }

    private void round() {
        if (passEnded) {
            passEnded = false;
            last = Handle.NONE;
        }
        fill();
    }

    private void fill() {
        while (!passEnded && underWay.size() < MOST_AT_A_TIME) {
            List<Handle> next = RecoveringFiles.after(committed.get(), last, 1);
            if (next.isEmpty()) {
                passEnded = true;
            } else {
                last = next.get(0);
                if (underWay.add(last)) {
                    begin(last);
                }
            }
        }
    }

    private void begin(Handle metafile) {
        try {
            new Attempt(metafile).begin();
        } catch (RuntimeException e) {
            LOG.error("recovery of file {} broke; it is tried again in a later round", metafile, e);
            underWay.remove(metafile);
        }
    }

    private void ended(Handle metafile) {
        underWay.remove(metafile);
        fill();
    }

    /** One try to recover one file. */
    private final class Attempt {
        private final Handle metafile;
        private final Map<Handle, Long> sealed = new HashMap<>();
        private long generation;
        private int awaited;
        private boolean failed;

        Attempt(Handle metafile) {
            this.metafile = metafile;
        }

        void begin() {
            Optional<MetafileRow> row = Metafiles.find(committed.get(), metafile);
            if (row.isEmpty() || !row.get().getRecovering()) {
                complete();
                return;
            }
            generation = row.get().getWriteGeneration();
            Map<Integer, SealRequest.Builder> byServer = new TreeMap<>();
            for (long datafile : row.get().getLayout().getDatafilesList()) {
                if (datafile != 0) {
                    byServer.computeIfAbsent(
                                    new Handle(datafile).owner(),
                                    server -> SealRequest.newBuilder()
                                            .setMetafile(metafile.value())
                                            .setWriteGeneration(generation))
                            .addDatafiles(datafile);
                }
            }
            awaited = byServer.size();
            if (awaited == 0) {
                complete();
            }
            byServer.forEach((server, request) -> pacer.when(
                    servers.send(server, Kind.SEAL, "seal", request.build()),
                    (reply, impossible) -> answered(server, reply)));
        }

        private void answered(int server, Reply reply) {
            reply.payload().release();
            awaited--;
            if (!reply.isOk()) {
                failed = true;
                LOG.warn(
                        "file {} cannot be recovered yet: IO server {} answered {}, {}",
                        metafile,
                        server,
                        reply.error(),
                        reply.header().getMessage());
            } else if (reply.body() instanceof SealReply body) {
                body.getDatafilesList().forEach(this::take);
            }
            if (awaited == 0) {
                if (failed) {
                    ended(metafile);
                } else {
                    complete();
                }
            }
        }

        /** A datafile that its server does not have holds nothing; there is no more to be had of it. */
        private void take(DatafileState state) {
            Handle datafile = new Handle(state.getDatafile());
            if (state.getError() == FsError.OK.code()) {
                sealed.put(datafile, state.getLength());
            } else if (state.getError() == FsError.NO_SUCH_DATAFILE.code()) {
                LOG.error("datafile {} of file {} is missing at its IO server", datafile, metafile);
                sealed.put(datafile, 0L);
            } else {
                failed = true;
                LOG.warn(
                        "datafile {} of file {} cannot be sealed: error {}, {}",
                        datafile,
                        metafile,
                        state.getError(),
                        state.getMessage());
            }
        }

        private void complete() {
            InternalCommand<Boolean> command = completion.of(metafile, generation, sealed);
            pacer.when(command.outcome(), (done, failure) -> {
                if (failure != null) {
                    LOG.warn("recovery of file {} could not be recorded: {}", metafile, failure.toString());
                }
                ended(metafile);
            });
            shard.submit(command);
        }
    }
}
