package io.steadfs.mds.duty;

import io.steadfs.cluster.ConfirmedShards;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.mds.call.DutyPursuits;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.mds.session.UnlinkedRemoval;
import io.steadfs.outage.Outages;
import io.steadfs.store.ReadView;
import io.steadfs.time.Scheduler;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for metafiles that were made without a name by a session that has ended. Has those removed that can never get a
 * name. The command that removes them needs an answer of every other shard. {@link
 * io.steadfs.mds.op.name.RemoveUnlinked} says why these answers are enough.
 *
 * <p>All shards are those that ZooKeeper counts after the session has ended. This server may not have heard yet of a
 * shard that was added. So the duty asks ZooKeeper before each command, and removes nothing while ZooKeeper does not
 * answer.
 *
 * <p>One command is under way at a time, about the metafiles of one session. A shard that does not answer delays the
 * removal, but never permits it. Metafiles that could not be settled are met again in the next round. While there are
 * such metafiles, {@link Outages} logs one of the reasons each minute. Another duty may meanwhile recover a metafile that
 * lost its writer, which is harmless.
 */
public final class SessionFence implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(SessionFence.class);

    /** The highest number of metafiles in one command. */
    static final int PAGE = 256;

    private static final String REMOVAL = "the removal of metafiles without a name";

    private static final long LONGEST_INTERVAL_MILLIS = 5_000;

    private final Supplier<ReadView> committed;
    private final DutyPursuits pursuits;
    private final Removing removing;
    private final ConfirmedShards shards;
    private final Outages delays;
    private final Pacer pacer;

    /** Whether a pass is under way. Owned by the scheduler's thread. */
    private boolean busy;

    /** Whether metafiles stay after the pass under way. Owned by the scheduler's thread. */
    private boolean delayed;

    /** Makes the command that removes metafiles. A metafile stays if it has a name or may still get one. */
    @FunctionalInterface
    public interface Removing {
        InternalCommand<UnlinkedRemoval> of(long session, List<Handle> metafiles, int confirmedShards);
    }

    /**
     * @param delays logs why metafiles stay
     * @param sessionMillis duration of a session in milliseconds; the duty runs several rounds in this time
     */
    public SessionFence(
            Supplier<ReadView> committed,
            DutyPursuits pursuits,
            Outages delays,
            long sessionMillis,
            Scheduler scheduler,
            ConfirmedShards shards,
            Removing removing) {
        this.committed = committed;
        this.pursuits = pursuits;
        this.delays = delays;
        this.removing = removing;
        this.shards = shards;
        this.pacer =
                new Pacer(scheduler, Math.max(1, Math.min(LONGEST_INTERVAL_MILLIS, sessionMillis / 8)), this::round);
    }

    @Override
    public void start() {
        pacer.start();
    }

    @Override
    public void stop() {
        pacer.stop();
        pursuits.stop();
    }

    private void round() {
        if (Held.isHeld(committed.get())) {
            return;
        }
        if (!busy) {
            busy = true;
            delayed = false;
            Pacer.step(() -> nextSession(0), this::broke);
        }
    }

    private void broke(Throwable cause) {
        LOG.error("looking for nameless metafiles of ended sessions broke; it begins anew in a later round", cause);
        busy = false;
    }

    /** Goes on with the first ended session, from the given id on, that left metafiles without a name. */
    private void nextSession(long from) {
        ReadView view = committed.get();
        Optional<UnlinkedFiles.Group> group = UnlinkedFiles.from(view, from, PAGE);
        while (group.isPresent() && Sessions.isAlive(view, group.get().session())) {
            group = group.get().session() == -1L
                    ? Optional.empty()
                    : UnlinkedFiles.from(view, group.get().session() + 1, PAGE);
        }
        group.ifPresentOrElse(this::remove, this::passEnded);
    }

    private void remove(UnlinkedFiles.Group group) {
        Pacer.step(
                () -> pacer.when(
                        shards.count(),
                        (count, failure) -> {
                            if (failure == null) {
                                remove(group, count);
                            } else {
                                delayed(group, "the shards cannot be counted: " + failure.getMessage());
                                passEnded();
                            }
                        },
                        cause -> broke(group, cause)),
                cause -> broke(group, cause));
    }

    private void remove(UnlinkedFiles.Group group, int confirmedShards) {
        Pacer.step(
                () -> {
                    InternalCommand<UnlinkedRemoval> command =
                            removing.of(group.session(), group.files(), confirmedShards);
                    pacer.when(
                            command.outcome(),
                            (removal, failure) -> ended(group, removal, failure),
                            cause -> broke(group, cause));
                    pursuits.submit("session " + Session.name(group.session()), command);
                },
                cause -> broke(group, cause));
    }

    private void ended(UnlinkedFiles.Group group, UnlinkedRemoval removal, @Nullable Throwable failure) {
        Optional<String> delay =
                failure == null ? removal.refusal() : Optional.of(String.valueOf(failure.getMessage()));
        if (delay.isPresent()) {
            delayed(group, delay.get());
        } else if (removal.removed() > 0) {
            LOG.info(
                    "removed {} metafiles that session {} made and gave no name",
                    removal.removed(),
                    Session.name(group.session()));
        }
        if (failure == null || isAboutTheseMetafiles(failure)) {
            goOn(group);
        } else {
            nextSessionAfter(group.session());
        }
    }

    private void delayed(UnlinkedFiles.Group group, String why) {
        String text = group.files().size() + " metafiles that session " + Session.name(group.session())
                + " made without a name stay for now: " + why;
        LOG.debug("{}", text);
        delayed = true;
        delays.look(Map.of(REMOVAL, text));
    }

    /**
     * Whether other metafiles of the session may still be removed in this pass. A decision that broke says nothing about
     * them. After another failure, a shard that is away would delay each of them for as long again.
     */
    private static boolean isAboutTheseMetafiles(Throwable failure) {
        return failure instanceof FsException dropped && dropped.error() == FsError.FAULT;
    }

    private void passEnded() {
        busy = false;
        if (!delayed) {
            delays.look(Map.of());
        }
    }

    /** Goes on with the metafiles that follow the given ones in the order of the table. */
    private void goOn(UnlinkedFiles.Group group) {
        Handle last = group.files().get(group.files().size() - 1);
        Optional<UnlinkedFiles.Group> more = UnlinkedFiles.after(committed.get(), group.session(), last, PAGE);
        if (more.isPresent()) {
            remove(more.get());
        } else {
            nextSessionAfter(group.session());
        }
    }

    /**
     * Handles an exception in a removal. The metafiles of the removal are met again in the next round, and delay no
     * others until then.
     */
    private void broke(UnlinkedFiles.Group group, Throwable cause) {
        LOG.error(
                "removing metafiles of session {} broke; {} metafiles without a name stay for now",
                Session.name(group.session()),
                group.files().size(),
                cause);
        delayed = true;
        pacer.hand(() -> Pacer.step(() -> nextSessionAfter(group.session()), this::broke));
    }

    private void nextSessionAfter(long session) {
        if (session == -1L) {
            passEnded();
        } else {
            nextSession(session + 1);
        }
    }
}
