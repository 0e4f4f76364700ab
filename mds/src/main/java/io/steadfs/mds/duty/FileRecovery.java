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
 *   <li>The recovery seals the datafiles under the raised write generation, so that the IO servers refuse a late writer
 *       too.
 *   <li>The recovery cuts datafiles that hold more than the recovered length needs: bytes behind a hole, or bytes
 *       beyond a truncate.
 *   <li>The recovery records the length and closes the file.
 * </ol>
 *
 * Every step may be repeated with the same result, because a cut never removes bytes of the recovered file.
 *
 * <p>An IO server refuses the seal if it has a later write generation of the file than this shard knows. The refusal
 * says which generation the IO server has. The next attempt to recover the file uses a higher generation. So no false
 * generation in a message can keep a file open forever.
 *
 * <p>A file whose attempt failed is tried again after all other files. If an IO server does not answer, its files wait
 * in growing pauses, while the duty recovers files of other servers. After each pause, only one of the waiting files
 * asks the server: {@link AwayServers}.
 */
public final class FileRecovery implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(FileRecovery.class);

    /** The highest number of files that are recovered at a time. */
    static final int MOST_AT_A_TIME = 16;

    /**
     * The highest number of files that one call of {@link #fill} looks at. Files whose IO servers are away count too.
     */
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

    /** The files that are being recovered. This field and all fields below are owned by the scheduler's thread. */
    private final Set<Handle> underWay = new HashSet<>();

    /** The file that this pass over the recovering files looked at last. The pass goes on when a recovery ends. */
    private Handle last = Handle.NONE;

    /**
     * The file behind which the pass started. The pass goes on with the lowest handle after the highest one. The pass
     * ends with the file behind which it started.
     */
    private Handle passFrom = Handle.NONE;

    private boolean wrapped = true;
    private boolean passEnded = true;
    private boolean goesOn;

    /** The file whose attempt failed last. This file comes last in the next pass. */
    private Handle back = Handle.NONE;

    /** Decides which sealed datafiles hold too many bytes. */
    @FunctionalInterface
    public interface Cuts {
        /**
         * Returns the datafiles to cut, with the length in bytes that each must have. All other datafiles stay as they
         * are.
         */
        Map<Handle, Long> of(MetafileRow row, SealedDatafiles sealed);
    }

    /** Makes the command that records the recovered length. */
    @FunctionalInterface
    public interface Completion {
        /**
         * Returns the command. The command answers false if recovery must try again.
         *
         * @param sealed the state of all datafiles of the metafile
         */
        InternalCommand<Boolean> of(Handle metafile, long generation, SealedDatafiles sealed);
    }

    /**
     * Makes the command that raises the write generation of a file. The new generation is above the generation that an
     * IO server has. The next attempt to recover the file uses the new generation.
     */
    @FunctionalInterface
    public interface Raising {
        /**
         * @param generation the generation with which the IO server refused the seal
         * @param above the generation that the IO server has
         */
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

    /** Tells the duty that a file lost its writer. May be called from any thread. */
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

    /**
     * Starts recoveries until {@link #MOST_AT_A_TIME} are under way. One call looks at a bounded number of files, so
     * that other duties get their turn.
     */
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
     * Returns the next file of the pass. A pass first takes the handles above its start, and then goes on with the
     * lowest handle. The result is empty if the pass wraps around or ends.
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

        /** The highest write generation that an IO server gave as the reason for refusing a seal; 0 = none refused. */
        private long above;

        Attempt(Handle metafile) {
            this.metafile = metafile;
        }

        /** Whether all IO servers of the file may be asked now. */
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
         * Takes the reply to a cut. A damaged chunk cannot be cut. Two kinds of bytes may stay in the chunk:
         *
         * <ul>
         *   <li>Bytes behind a hole do not count, and nobody can write before them. So a file that keeps such bytes may
         *       be closed.
         *   <li>Bytes beyond a truncate would count again after the file has got a writer. So a file that keeps such
         *       bytes may not get a writer.
         * </ul>
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
         * Takes the state of one sealed datafile. The datafile counts as lost if its IO server does not have it or
         * cannot read it, because asking again would bring nothing new. A datafile also counts as lost if its length is
         * greater than any datafile can have.
         */
        private void take(DatafileState state) {
            Handle datafile = new Handle(state.getDatafile());
            FsError error = FsError.byCode(state.getError()).orElse(FsError.FAULT);
            boolean isPossible = state.getLength() >= 0 && state.getLength() <= Striping.MOST_DATAFILE_BYTES;
            if (error == FsError.OK && isPossible) {
                lengths.put(datafile, state.getLength());
            } else if (error == FsError.OK) {
                LOG.error(
                        "datafile {} of file {} is lost: its server says that it has {} bytes; the maximum is {}",
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

        /**
         * Raises the write generation above the generation that the IO servers have. The next attempt to recover the
         * file uses the new generation.
         */
        private void raise() {
            InternalCommand<Boolean> command = raising.of(metafile, generation, above);
            pacer.when(
                    command.outcome(),
                    (done, failure) -> {
                        LOG.error(
                                "file {} has write generation {}, an IO server has {}; recovery raises the generation",
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
