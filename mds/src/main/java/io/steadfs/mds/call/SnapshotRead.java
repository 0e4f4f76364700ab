package io.steadfs.mds.call;

import io.steadfs.error.FsError;
import io.steadfs.mds.copy.HeldCopies;
import io.steadfs.mds.copy.ShardCopies;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.pipeline.InputSource;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.pipeline.PeerAnswers;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Reply;
import io.steadfs.store.MovedOnException;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.StoreClosedException;
import io.steadfs.wire.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the committed state beside the writer, for a query or a precheck.
 *
 * <p>A look may need facts of other shards. The look is then repeated with these facts on the same snapshot, and gets
 * further than the look before. If a fact shows that the snapshot is outdated, the look is repeated on a new snapshot.
 *
 * <p>The first look uses a {@link Store#glance}, which is cheaper than a snapshot and mostly sufficient. If the first
 * look meets a commit, the read begins again on a snapshot.
 *
 * <p>A read first notes which copies of directories there are, then looks that no batch is late, then takes its view. It
 * uses a copy only if it was there before the view, and is still there when the read looks it up. So all copies that a
 * look uses were good at the moment of the view. A look after the last answer of another shard looks them up once more.
 * If a copy came later than the view, the read begins again.
 *
 * @param <R> result of the look
 */
final class SnapshotRead<R> {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotRead.class);

    /** Largest number of looks. Each look gets further than the look before. */
    private static final int MAX_LOOKS = 1000;

    private final Answering answering;
    private final Principal principal;
    private final Looked<R> looked;
    private final Dependencies dependencies;
    private final Executor executor;
    private final Consumer<R> then;

    /** Answers to questions for copies. They are kept when the read begins again: what was given is a copy now. */
    private Map<Need, Reply> given = Map.of();

    private int looks;

    /** The function that looks at the state. It must be pure. */
    @FunctionalInterface
    interface Looked<R> {
        R look(ReadView view, Inputs inputs);
    }

    /** The parts of a shard that all its reads use. */
    record Dependencies(MetadataLog log, InputSource inputs, Asking asking, ShardCopies copies) {}

    /** The committed state of one moment, with the copies that were there before. */
    private record View(HeldCopies.Use copies, Store.Snapshot snapshot) {
        void close() {
            snapshot.close();
        }
    }

    /**
     * @param executor continues a look after other shards were asked; if it throws a RejectedExecutionException, the
     *     client gets BUSY
     * @param then takes the result; not called if the call was answered with a refusal
     */
    SnapshotRead(
            Answering answering,
            Principal principal,
            Looked<R> looked,
            Dependencies dependencies,
            Executor executor,
            Consumer<R> then) {
        this.answering = answering;
        this.principal = principal;
        this.looked = looked;
        this.dependencies = dependencies;
        this.executor = executor;
        this.then = then;
    }

    void begin() {
        begin(dependencies.log()::glance);
    }

    private void beginOnSnapshot() {
        begin(dependencies.log()::snapshot);
    }

    private void begin(Supplier<Store.Snapshot> state) {
        HeldCopies.Use copies = dependencies.copies().beginRead();
        if (dependencies.copies().isLate()) {
            answering.refuse(FsError.BUSY, "the shard's disk is late; try again");
            return;
        }
        View view;
        try {
            view = new View(copies, state.get());
        } catch (StoreClosedException e) {
            closed(e);
            return;
        }
        look(view, given.isEmpty() ? PeerAnswers.none() : PeerAnswers.none().with(given));
    }

    /**
     * Refuses the call because the shard stops, or because its store is opened again. A retry finds the new store or
     * gets a more precise refusal.
     */
    private void closed(StoreClosedException cause) {
        answering.refuse(FsError.UNAVAILABLE, "the shard's " + cause.getMessage());
    }

    private void look(View view, PeerAnswers peerAnswers) {
        answering.mark(Moment.STARTED);
        R result;
        try {
            result = seen(view, peerAnswers);
        } catch (Missing missing) {
            ask(view, peerAnswers, missing);
            return;
        } catch (MovedOnException e) {
            view.close();
            beginOnSnapshot();
            return;
        } catch (RuntimeException e) {
            view.close();
            refuse(e);
            return;
        }
        view.close();
        then.accept(result);
    }

    private R seen(View view, PeerAnswers peerAnswers) {
        if (answering.isCancelled()) {
            throw new CancellableView.Stopped();
        }
        ReadView cancellable = new CancellableView(view.snapshot(), answering::isCancelled);
        Inputs inputs = dependencies.inputs().now(view.snapshot());
        return looked.look(cancellable, inputs.with(peerAnswers.again()).with(view.copies()));
    }

    /** Counts the looks. Refuses the call if there were too many. */
    private boolean mayLookAgain() {
        if (++looks <= MAX_LOOKS) {
            return true;
        }
        answering.refuse(FsError.TOO_LARGE, "the read needs more than " + MAX_LOOKS + " looks at other shards");
        return false;
    }

    private void refuse(RuntimeException cause) {
        if (cause instanceof CancellableView.Stopped) {
            answering.refuse(FsError.CANCELLED, "cancelled while it read");
        } else if (cause instanceof StoreClosedException shut) {
            closed(shut);
        } else {
            LOG.error("{} failed", answering, cause);
            answering.refuse(FsError.FAULT, "the read broke: " + cause);
        }
    }

    private void ask(View view, PeerAnswers peerAnswers, Missing missing) {
        List<Need.Ask> asks = new ArrayList<>();
        boolean asksForCopies = false;
        for (Need need : missing.needs()) {
            if (need instanceof Need.Ask ask) {
                asks.add(ask);
                asksForCopies |= ask.kind() == Kind.GIVE_COPIES;
            }
        }
        if (asks.size() < missing.needs().size()) {
            view.close();
            LOG.error("{} needs what a read cannot have: {}", answering, missing.needs());
            answering.refuse(FsError.FAULT, "the read needs something held by other shards");
            return;
        }
        if (view.copies().metNewer()) {
            view.close();
            if (mayLookAgain()) {
                beginOnSnapshot();
            }
            return;
        }
        // A copy that is given now is newer than the view.
        Optional<View> same = asksForCopies ? Optional.empty() : Optional.of(view);
        if (same.isEmpty()) {
            view.close();
        }
        if (!mayLookAgain()) {
            same.ifPresent(View::close);
            return;
        }
        var unused = dependencies
                .asking()
                .ask(asks, principal, answering.traceId())
                .whenComplete((found, failure) -> {
                    try {
                        executor.execute(() -> goOn(same, peerAnswers, found, failure));
                    } catch (RejectedExecutionException e) {
                        same.ifPresent(View::close);
                        answering.refuse(FsError.BUSY, "too many long reads wait already; try again");
                    }
                });
    }

    private void goOn(
            Optional<View> same,
            PeerAnswers peerAnswers,
            @Nullable Map<Need, Reply> found,
            @Nullable Throwable failure) {
        if (found != null) {
            keepGiven(found);
            if (same.isPresent()) {
                look(same.get(), peerAnswers.with(found));
            } else {
                beginOnSnapshot();
            }
            return;
        }
        same.ifPresent(View::close);
        Throwable cause = failure == null || failure.getCause() == null ? failure : failure.getCause();
        if (cause instanceof Asking.LookAgain) {
            beginOnSnapshot();
        } else {
            answering.refuse(FsError.BUSY, String.valueOf(cause == null ? "" : cause.getMessage()));
        }
    }

    private void keepGiven(Map<Need, Reply> found) {
        Map<Need, Reply> all = new HashMap<>(given);
        found.forEach((need, reply) -> {
            if (need instanceof Need.Ask ask && ask.kind() == Kind.GIVE_COPIES) {
                all.put(need, reply);
            }
        });
        given = all;
    }
}
