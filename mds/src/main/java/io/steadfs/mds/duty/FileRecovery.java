package io.steadfs.mds.duty;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Striping;
import io.steadfs.layout.WriteGeneration;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.SealedDatafiles;
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
import io.steadfs.wire.proto.TruncateRequest;
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
 * Recovers files whose writer is gone, and files that were truncated. Each recovery has three steps:
 *
 * <ol>
 *   <li>It seals the datafiles under the raised write generation, so that the IO servers refuse a late writer too.
 *   <li>It cuts datafiles that hold more than the recovered length needs: bytes behind a hole, or bytes beyond a truncate.
 *   <li>It records the length and closes the file.
 * </ol>
 *
 * Every step may be repeated with the same result: a cut removes no bytes that count.
 *
 * <p>If an IO server has a later write generation than this shard knows, it refuses the seal and says which one it has. Then
 * recovery goes on above that generation. So no number in a single message can keep a file from being closed forever.
 *
 * <p>A file whose attempt failed is tried again after all others. Files of an IO server that does not answer wait in growing
 * pauses, and one of them asks on behalf of all: {@link AwayServers}. Meanwhile files of other servers go on.
 */
public final class FileRecovery implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(FileRecovery.class);

    /** Most files that are recovered at a time. */
    static final int MOST_AT_A_TIME = 16;

    /** Most files looked at in one go. Files whose IO servers are away are skipped. */
    private static final int MOST_LOOKED_AT = 256;

    private static final long INTERVAL_MILLIS = 5_000;
    private static final long FIRST_PAUSE_MILLIS = 1_000;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final IoServers servers;
    private final Cuts cuts;
    private final Completion completion;
    private final Raising raising;
    private final Pacer pacer;
    private final AwayServers away;

    /** Owned by the scheduler's thread, like everything below. */
    private final Set<Handle> underWay = new HashSet<>();

    /** The position of this pass over the recovering files. The pass goes on when places become free. */
    private Handle last = Handle.NONE;

    /** The pass started behind this file. After wrapping around, it ends with this file. */
    private Handle passFrom = Handle.NONE;

    private boolean wrapped = true;
    private boolean passEnded = true;
    private boolean goesOn;

    /** The last file whose attempt failed. It comes last in the next pass. */
    private Handle back = Handle.NONE;

    /** Says which sealed datafiles hold too many bytes. */
    @FunctionalInterface
    public interface Cuts {
        /** Datafiles to cut, with the length that each must have. All others are not cut. */
        Map<Handle, Long> of(MetafileRow row, SealedDatafiles sealed);
    }

    /** Makes the command that records the recovered length. */
    @FunctionalInterface
    public interface Completion {
        /** @param sealed all datafiles of the metafile; the command answers false if recovery must try again */
        InternalCommand<Boolean> of(Handle metafile, long generation, SealedDatafiles sealed);
    }

    /**
     * Makes the command that raises the write generation of a file above the one that an IO server has. Recovery goes on
     * under the new one.
     */
    @FunctionalInterface
    public interface Raising {
        /** @param generation the generation under which the IO server refused the seal */
        InternalCommand<Boolean> of(Handle metafile, long generation, long above);
    }

    public FileRecovery(
            Supplier<ReadView> committed,
            Shard shard,
            IoServers servers,
            Scheduler scheduler,
            Cuts cuts,
            Completion completion,
            Raising raising) {
        this.committed = committed;
        this.shard = shard;
        this.servers = servers;
        this.cuts = cuts;
        this.completion = completion;
        this.raising = raising;
        this.pacer = new Pacer(scheduler, INTERVAL_MILLIS, this::round);
        this.away = new AwayServers(pacer, FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
    }

    @Override
    public void start() {
        pacer.start();
    }

    /** A file lost its writer. May be called from any thread. */
    public void wake() {
        pacer.wake();
    }

    @Override
    public void stop() {
        pacer.stop();
    }

    private void round() {
        if (Held.isHeld(committed.get())) {
            return;
        }
        if (passEnded) {
            passEnded = false;
            passFrom = back;
            last = back;
            wrapped = back.isNone();
        }
        fill();
    }

    /** Starts recoveries while there are places. Looks at a bounded number of files in one go, so that other duties get their turn. */
    private void fill() {
        for (int looked = 0; !passEnded && underWay.size() < MOST_AT_A_TIME; looked++) {
            if (looked == MOST_LOOKED_AT) {
                goOnLater();
                return;
            }
            next().ifPresent(this::consider);
        }
    }

    private void goOnLater() {
        if (!goesOn) {
            goesOn = true;
            pacer.hand(() -> {
                goesOn = false;
                fill();
            });
        }
    }

    /**
     * The next file of the pass: first the handles above the start of the pass, then from the lowest handle. Empty if the
     * pass wraps around or ends.
     */
    private Optional<Handle> next() {
        List<Handle> found = RecoveringFiles.after(committed.get(), last, 1);
        boolean isPast = found.isEmpty()
                || (wrapped
                        && !passFrom.isNone()
                        && Long.compareUnsigned(found.get(0).value(), passFrom.value()) > 0);
        if (!isPast) {
            last = found.get(0);
            return Optional.of(last);
        }
        passEnded = wrapped;
        wrapped = true;
        last = Handle.NONE;
        return Optional.empty();
    }

    private void consider(Handle metafile) {
        if (underWay.contains(metafile)) {
            return;
        }
        try {
            Attempt attempt = new Attempt(metafile);
            if (attempt.mayBegin()) {
                underWay.add(metafile);
                attempt.begin();
            }
        } catch (RuntimeException | Error e) {
            broke(metafile, e);
        }
    }

    private void broke(Handle metafile, Throwable cause) {
        LOG.error("recovery of file {} broke; it is tried again in a later round", metafile, cause);
        underWay.remove(metafile);
    }

    private void ended(Handle metafile) {
        underWay.remove(metafile);
        fill();
    }

    private void putBack(Handle metafile) {
        back = metafile;
        ended(metafile);
    }

    /** One attempt to recover one file. */
    private final class Attempt {
        private final Handle metafile;
        private final Map<Handle, Long> lengths = new HashMap<>();
        private final Set<Handle> lost = new HashSet<>();
        private final Set<Handle> uncut = new HashSet<>();
        private MetafileRow row = MetafileRow.getDefaultInstance();
        private long generation;
        private int awaited;
        private boolean failed;
        private boolean unsettled;

        /** The highest write generation for which a seal was refused; 0 = none was refused. */
        private long above;

        Attempt(Handle metafile) {
            this.metafile = metafile;
        }

        /** Whether no IO server of the file is known to be away. */
        boolean mayBegin() {
            row = Metafiles.find(committed.get(), metafile)
                    .filter(MetafileRow::getRecovering)
                    .orElse(MetafileRow.getDefaultInstance());
            generation = row.getWriteGeneration();
            for (long datafile : row.getLayout().getDatafilesList()) {
                if (datafile != 0 && !away.mayAsk(new Handle(datafile).owner())) {
                    return false;
                }
            }
            return true;
        }

        void begin() {
            Map<Integer, SealRequest.Builder> byServer = new TreeMap<>();
            for (long datafile : row.getLayout().getDatafilesList()) {
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
            byServer.forEach((server, request) -> {
                pacer.when(
                        servers.send(server, Kind.SEAL, "seal", request.build()),
                        (reply, impossible) -> answered(server, reply),
                        cause -> broke(metafile, cause));
                away.asked(server);
            });
        }

        private void answered(int server, Reply reply) {
            reply.payload().release();
            away.answered(server, reply);
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
                unsettled |= body.getUnsettled();
                body.getDatafilesList().forEach(this::take);
            }
            if (awaited == 0) {
                if (above >= generation) {
                    raise();
                } else if (failed) {
                    putBack(metafile);
                } else {
                    cut();
                }
            }
        }

        private void cut() {
            Map<Handle, Long> tooLong = cuts.of(row, sealed());
            awaited = tooLong.size();
            if (awaited == 0) {
                complete();
            }
            tooLong.forEach((datafile, length) -> pacer.when(
                    servers.send(
                            datafile.owner(),
                            Kind.TRUNCATE,
                            "cut",
                            TruncateRequest.newBuilder()
                                    .setDatafile(datafile.value())
                                    .setMetafile(metafile.value())
                                    .setWriteGeneration(generation)
                                    .setLength(length)
                                    .build()),
                    (reply, impossible) -> cut(datafile, reply),
                    cause -> broke(metafile, cause)));
        }

        /**
         * Handles the result of a cut. If a damaged chunk cannot be cut, bytes behind a hole in it do not count and nobody
         * can write before them. So the file may be closed. Bytes beyond a truncate would count again as soon as the file has
         * a writer. So such a file may not get a writer.
         */
        private void cut(Handle datafile, Reply reply) {
            reply.payload().release();
            away.answered(datafile.owner(), reply);
            awaited--;
            if (!reply.isOk()) {
                LOG.warn(
                        "datafile {} of file {} cannot be cut: {}, {}",
                        datafile,
                        metafile,
                        reply.error(),
                        reply.header().getMessage());
                if (isDamage(reply.error())) {
                    uncut.add(datafile);
                } else {
                    failed = true;
                }
            }
            if (awaited == 0) {
                if (failed) {
                    putBack(metafile);
                } else {
                    complete();
                }
            }
        }

        /**
         * Takes the state of one sealed datafile. If its server does not have it or cannot read it, asking again yields no
         * more: the datafile is lost. It is lost too if its length is greater than any datafile can have.
         */
        private void take(DatafileState state) {
            Handle datafile = new Handle(state.getDatafile());
            FsError error = FsError.byCode(state.getError()).orElse(FsError.FAULT);
            boolean isPossible = state.getLength() >= 0 && state.getLength() <= Striping.MOST_DATAFILE_BYTES;
            if (error == FsError.OK && isPossible) {
                lengths.put(datafile, state.getLength());
            } else if (error == FsError.OK) {
                LOG.error(
                        "datafile {} of file {} is lost: its server says that it has {} bytes, at most {} can be",
                        datafile,
                        metafile,
                        Long.toUnsignedString(state.getLength()),
                        Striping.MOST_DATAFILE_BYTES);
                lost.add(datafile);
            } else if (isDamage(error)) {
                LOG.error("datafile {} of file {} is lost: {}, {}", datafile, metafile, error, state.getMessage());
                lost.add(datafile);
            } else {
                failed = true;
                if (error == FsError.STALE_GENERATION && isTold(state.getWriteGeneration())) {
                    above = Math.max(above, state.getWriteGeneration());
                }
                LOG.warn(
                        "datafile {} of file {} cannot be sealed: {}, {}",
                        datafile,
                        metafile,
                        error,
                        state.getMessage());
            }
        }

        /** The IO servers have a later generation than this shard gave out. The next attempt uses one above theirs. */
        private void raise() {
            InternalCommand<Boolean> command = raising.of(metafile, generation, above);
            pacer.when(
                    command.outcome(),
                    (done, failure) -> {
                        LOG.error(
                                "file {} was at write generation {}, an IO server has {} of it: recovery goes on above",
                                metafile,
                                generation,
                                above);
                        putBack(metafile);
                        pacer.wake();
                    },
                    cause -> broke(metafile, cause));
            shard.submit(command);
        }

        private static boolean isTold(long generation) {
            return generation > 0 && generation <= WriteGeneration.MOST_TOLD;
        }

        private static boolean isDamage(FsError error) {
            return error == FsError.NO_SUCH_DATAFILE || error == FsError.CORRUPT;
        }

        private SealedDatafiles sealed() {
            return new SealedDatafiles(lengths, lost, uncut, unsettled);
        }

        private void complete() {
            InternalCommand<Boolean> command = completion.of(metafile, generation, sealed());
            pacer.when(
                    command.outcome(),
                    (done, failure) -> {
                        if (failure != null) {
                            LOG.warn("recovery of file {} could not be recorded: {}", metafile, failure.toString());
                        }
                        ended(metafile);
                    },
                    cause -> broke(metafile, cause));
            shard.submit(command);
        }
    }
}
