package io.steadfs.mds.call;

import io.steadfs.error.FsError;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    private int looks;

    /** The function that looks at the state. It must be pure. */
    @FunctionalInterface
    interface Looked<R> {
        R look(ReadView view, Inputs inputs);
    }

    /** The parts of a shard that all its reads use. */
    record Dependencies(MetadataLog log, InputSource inputs, Asking asking) {}

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
        Store.Snapshot snapshot;
        try {
            snapshot = state.get();
        } catch (StoreClosedException e) {
            closed(e);
            return;
        }
        look(snapshot, PeerAnswers.none());
    }

    /**
     * Refuses the call because the shard stops, or because its store is opened again. A retry finds the new store or
     * gets a more precise refusal.
     */
    private void closed(StoreClosedException cause) {
        answering.refuse(FsError.UNAVAILABLE, "the shard's " + cause.getMessage());
    }

    private void look(Store.Snapshot snapshot, PeerAnswers peerAnswers) {
        answering.mark(Moment.STARTED);
        R result;
        try {
            result = seen(snapshot, peerAnswers);
        } catch (Missing missing) {
            ask(snapshot, peerAnswers, missing);
            return;
        } catch (MovedOnException e) {
            snapshot.close();
            beginOnSnapshot();
            return;
        } catch (RuntimeException e) {
            snapshot.close();
            refuse(e);
            return;
        }
        snapshot.close();
        then.accept(result);
    }

    private R seen(Store.Snapshot snapshot, PeerAnswers peerAnswers) {
        if (answering.isCancelled()) {
            throw new CancellableView.Stopped();
        }
        ReadView view = new CancellableView(snapshot, answering::isCancelled);
        return looked.look(view, dependencies.inputs().now(snapshot).with(peerAnswers.again()));
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

    private void ask(Store.Snapshot snapshot, PeerAnswers peerAnswers, Missing missing) {
        List<Need.Ask> asks = new ArrayList<>();
        for (Need need : missing.needs()) {
            if (need instanceof Need.Ask ask) {
                asks.add(ask);
            }
        }
        if (asks.size() < missing.needs().size()) {
            snapshot.close();
            LOG.error("{} needs what a read cannot have: {}", answering, missing.needs());
            answering.refuse(FsError.FAULT, "the read needs something held by other shards");
            return;
        }
        if (++looks > MAX_LOOKS) {
            snapshot.close();
            answering.refuse(FsError.TOO_LARGE, "the read needs more than " + MAX_LOOKS + " looks at other shards");
            return;
        }
        var unused = dependencies
                .asking()
                .ask(asks, principal, answering.traceId())
                .whenComplete((found, failure) -> {
                    try {
                        executor.execute(() -> goOn(snapshot, peerAnswers, found, failure));
                    } catch (RejectedExecutionException e) {
                        snapshot.close();
                        answering.refuse(FsError.BUSY, "too many long reads wait already; try again");
                    }
                });
    }

    private void goOn(
            Store.Snapshot snapshot,
            PeerAnswers peerAnswers,
            @Nullable Map<Need, Reply> found,
            @Nullable Throwable failure) {
        if (found != null) {
            look(snapshot, peerAnswers.with(found));
            return;
        }
        snapshot.close();
        Throwable cause = failure == null || failure.getCause() == null ? failure : failure.getCause();
        if (cause instanceof Asking.LookAgain) {
            beginOnSnapshot();
        } else {
            answering.refuse(FsError.BUSY, String.valueOf(cause == null ? "" : cause.getMessage()));
        }
    }
}
