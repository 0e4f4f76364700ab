package io.steadfs.mds.duty;

import io.steadfs.handle.Handle;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.proto.FenceSessionsReply;
import io.steadfs.wire.proto.FenceSessionsRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes metafiles that have no name and can never get one. Before the removal, the session that made the metafile
 * must have ended, and every other shard must have fenced the session.
 *
 * <p>The shard of a name decides a link and tells the shard of the metafile later. Any shard may be the shard of the
 * name. So a metafile that looks unlinked here is in one of three states:
 *
 * <ul>
 *   <li>The metafile has a name, and the notice about the name is on its way.
 *   <li>The metafile may still get a name from a link that is on its way.
 *   <li>The metafile will never get a name.
 * </ul>
 *
 * The fence tells these states apart. Each other shard durably ends the session by a command of its writer. The shard
 * answers for which of the metafiles its outbox holds a notice. Let m be a metafile that a shard does not name in its
 * answer:
 *
 * <ul>
 *   <li>No later decision of that shard links m. The session has ended on that shard, and an ended session is refused
 *       forever.
 *   <li>If an earlier decision of that shard linked m, the same batch put a notice into the outbox. The outbox no
 *       longer holds the notice, so this shard has acknowledged the notice. This shard acknowledged the notice only
 *       after its own row of m said that m is linked.
 * </ul>
 *
 * So after all shards have answered, <b>m has a name only if a shard named m or this shard's row of m says so</b>. The
 * batch that removes m reads the row of m again. Asking a shard twice is harmless. A shard that does not answer delays
 * the removal, but never permits it.
 *
 * <p>One question is under way at a time, about the metafiles of one session. Metafiles that could not be settled are
 * met again in the next round. Another duty may meanwhile recover a metafile that lost its writer, which is harmless.
 */
public final class SessionFence implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(SessionFence.class);

    /** The highest number of metafiles in one question. */
    static final int PAGE = 256;

    private static final long LONGEST_INTERVAL_MILLIS = 5_000;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final Others others;
    private final Removing removing;
    private final Pacer pacer;

    /** Whether a pass is under way. Owned by the scheduler's thread. */
    private boolean busy;

    /** Sends FENCE_SESSIONS requests to other shards. */
    @FunctionalInterface
    public interface Messenger {
        /**
         * Sends the request once. If the shard cannot be reached, the reply is a refusal. The future completes on any
         * thread.
         */
        CompletableFuture<Reply> ask(int shard, FenceSessionsRequest request);
    }

    /**
     * Describes the other shards and how to reach them.
     *
     * @param self number of this shard
     */
    public record Others(int self, IntSupplier shardCount, Messenger messenger) {}

    /** Makes the command that removes the given metafiles. A metafile that has a name by now stays. */
    @FunctionalInterface
    public interface Removing {
        InternalCommand<Integer> of(long session, List<Handle> metafiles);
    }

    /** @param sessionMillis duration of a session in milliseconds; the duty runs several rounds in this time */
    public SessionFence(
            Supplier<ReadView> committed,
            Shard shard,
            Others others,
            long sessionMillis,
            Scheduler scheduler,
            Removing removing) {
        this.committed = committed;
        this.shard = shard;
        this.others = others;
        this.removing = removing;
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
    }

    private void round() {
        if (Held.isHeld(committed.get())) {
            return;
        }
        if (!busy) {
            busy = true;
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
        while (group.isPresent() && isAlive(view, group.get().session())) {
            group = group.get().session() == -1L
                    ? Optional.empty()
                    : UnlinkedFiles.from(view, group.get().session() + 1, PAGE);
        }
        group.ifPresentOrElse(this::fence, () -> busy = false);
    }

    /** Whether the session is alive. A session without a row has ended, because the row is removed last. */
    private static boolean isAlive(ReadView view, long session) {
        return Sessions.find(view, session).filter(found -> !found.ended()).isPresent();
    }

    private void fence(UnlinkedFiles.Group group) {
        FenceSessionsRequest.Builder request = FenceSessionsRequest.newBuilder().addSessions(group.session());
        group.files().forEach(file -> request.addMetafiles(file.value()));
        Pacer.step(() -> new Question(group).ask(request.build()), cause -> broke(group, cause));
    }

    /** Goes on with the metafiles behind the given ones. */
    private void goOn(UnlinkedFiles.Group group) {
        Handle last = group.files().get(group.files().size() - 1);
        Optional<UnlinkedFiles.Group> more = UnlinkedFiles.after(committed.get(), group.session(), last, PAGE);
        if (more.isPresent()) {
            fence(more.get());
        } else {
            nextSessionAfter(group.session());
        }
    }

    /**
     * Handles an exception in a question. The metafiles of the question are met again in the next round, and delay no
     * others until then.
     */
    private void broke(UnlinkedFiles.Group group, Throwable cause) {
        LOG.error(
                "fencing session {} broke; its {} metafiles without a name stay for now",
                Session.name(group.session()),
                group.files().size(),
                cause);
        pacer.hand(() -> Pacer.step(() -> nextSessionAfter(group.session()), this::broke));
    }

    private void nextSessionAfter(long session) {
        if (session == -1L) {
            busy = false;
        } else {
            nextSession(session + 1);
        }
    }

    /** The question to all other shards about some metafiles of one session. */
    private final class Question {
        private final UnlinkedFiles.Group group;
        private final Set<Handle> linked = new HashSet<>();
        private int awaited;
        private boolean unanswered;

        Question(UnlinkedFiles.Group group) {
            this.group = group;
        }

        void ask(FenceSessionsRequest request) {
            int shards = Math.max(1, others.shardCount().getAsInt());
            awaited = shards - 1;
            if (awaited == 0) {
                remove();
                return;
            }
            for (int number = 0; number < shards; number++) {
                if (number != others.self()) {
                    int asked = number;
                    pacer.when(
                            others.messenger().ask(asked, request),
                            (reply, failure) -> answered(asked, reply, failure),
                            cause -> broke(group, cause));
                }
            }
        }

        private void answered(int asked, @Nullable Reply reply, @Nullable Throwable failure) {
            if (reply == null) {
                delayed(asked, String.valueOf(failure));
            } else {
                reply.payload().release();
                if (reply.isOk() && reply.body() instanceof FenceSessionsReply fenced) {
                    fenced.getLinkedList().forEach(file -> linked.add(new Handle(file)));
                } else {
                    delayed(asked, reply.error() + ", " + reply.header().getMessage());
                }
            }
            if (--awaited == 0) {
                if (unanswered) {
                    nextSessionAfter(group.session());
                } else {
                    remove();
                }
            }
        }

        private void delayed(int asked, String why) {
            unanswered = true;
            LOG.warn(
                    "{} metafiles that session {} made without a name stay for now: shard {} does not say whether they"
                            + " have one: {}",
                    group.files().size(),
                    Session.name(group.session()),
                    asked,
                    why);
        }

        private void remove() {
            List<Handle> nameless = group.files().stream()
                    .filter(file -> !linked.contains(file))
                    .toList();
            InternalCommand<Integer> command = removing.of(group.session(), nameless);
            pacer.when(
                    command.outcome(),
                    (removed, failure) -> removed(nameless.size(), removed, failure),
                    cause -> broke(group, cause));
            shard.submit(command);
        }

        private void removed(int nameless, Integer removed, @Nullable Throwable failure) {
            if (failure != null) {
                LOG.warn(
                        "{} metafiles of session {} without a name could not be removed: {}",
                        nameless,
                        Session.name(group.session()),
                        failure.toString());
            } else if (removed > 0) {
                LOG.info(
                        "removed {} metafiles that session {} made and gave no name",
                        removed,
                        Session.name(group.session()));
            }
            goOn(group);
        }
    }
}
