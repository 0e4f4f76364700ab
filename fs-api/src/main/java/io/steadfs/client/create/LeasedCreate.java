package io.steadfs.client.create;

import io.steadfs.client.call.Futures;
import io.steadfs.client.call.RetryRule;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;

/**
 * Makes a file by the leased create of "File Creation Strategies in a Distributed Metadata File System", section 4.3.
 *
 * <p>If the client has a leased handle of each chosen server, the create takes the fast path. The client reserves each
 * of these handles by one message. If the client has few handles left, the server's reply also brings more handles. At
 * the same time the client makes a metafile that lists the handles. Finally the client makes the dirent. The fast path
 * takes two steps and N + 2 messages for N columns.
 *
 * <p>If the client lacks a handle of a chosen server, the create takes the slow path. One message to each server
 * reserves a handle, or leases several handles and reserves the first handle of the lease. Then the client makes the
 * metafile, and finally the dirent. The slow path takes three steps and N + 2 messages for N columns.
 *
 * <p>If a server refuses or does not answer, the client takes back what the create has made so far. After a pause the
 * client tries other servers.
 */
final class LeasedCreate implements CreateProtocol {
    private final IntUnaryOperator random;

    LeasedCreate(IntUnaryOperator random) {
        this.random = random;
    }

    @Override
    public CompletableFuture<Made> create(FileSpec spec) {
        return new Tries(spec).next();
    }

    /** Tries one create until a try succeeds or the operation timeout is over. */
    private final class Tries {
        private final FileSpec spec;
        private final long startNanos;
        /** Servers that refused for a lasting reason, for example a full disk. */
        private final Set<Integer> refusing = new HashSet<>();
        /** The servers that refused for a lasting reason, and the servers that failed at the last try. */
        private Set<Integer> failing = Set.of();

        private int failures;

        Tries(FileSpec spec) {
            this.spec = spec;
            this.startNanos = spec.courier().clock().monotonicNanos();
        }

        CompletableFuture<Made> next() {
            ReservedHandles reserving = new ReservedHandles(spec);
            List<ReservedHandles.Column> columns;
            try {
                columns = reserving.choose(cluster(), spec.width(), List.of(failing, refusing));
            } catch (FsException e) {
                return CompletableFuture.failedFuture(e);
            }
            boolean fast = columns.stream().allMatch(column -> column.handle().isPresent());
            Optional<CompletableFuture<UnnamedFile>> metafile =
                    fast ? Optional.of(metafile(spec, columns)) : Optional.empty();
            List<CompletableFuture<Handle>> reserved = new ArrayList<>();
            columns.forEach(column -> reserved.add(reserving.reserve(column)));
            CompletableFuture<Void> all = CompletableFuture.allOf(reserved.toArray(CompletableFuture<?>[]::new));
            CompletableFuture<Made> made =
                    metafile.map(file -> fastPath(file, all)).orElseGet(() -> slowPath(spec, reserved, all));
            return Futures.orElseThen(made, refused -> instead(refused, columns, reserved));
        }

        private ClusterView cluster() {
            return spec.courier().cluster().present().orElse(spec.cluster());
        }

        private Optional<CompletableFuture<Made>> instead(
                FsException refused, List<ReservedHandles.Column> columns, List<CompletableFuture<Handle>> reserved) {
            Set<Integer> failed = new HashSet<>();
            boolean ofServer = false;
            for (int i = 0; i < columns.size(); i++) {
                Optional<FsException> refusal = refusal(reserved.get(i));
                ofServer |= refusal.filter(each -> each == refused).isPresent();
                if (refusal.isPresent() && refusal.get().error() != FsError.LEASE_REVOKED) {
                    failed.add(columns.get(i).server());
                    if (RetryRule.verdict(refusal.get().error()) == RetryRule.Verdict.SETTLED) {
                        refusing.add(columns.get(i).server());
                    }
                }
            }
            failed.addAll(refusing);
            failing = failed;
            boolean revoked = refused.error() == FsError.LEASE_REVOKED;
            failures++;
            long pauseMillis = spec.courier().rule().pauseMillis(failures);
            boolean mayHelp = revoked || (ofServer && othersMayServe(refused));
            if (!mayHelp || spec.courier().isOver(startNanos, pauseMillis)) {
                return Optional.empty();
            }
            if (revoked) {
                columns.forEach(column ->
                        column.handle().ifPresent(handle -> spec.handlesOnly().revoked(List.of(handle))));
            }
            spec.courier().counters().retries.increment();
            var unused = spec.courier().cluster().refresh();
            return Optional.of(Futures.then(spec.courier().pauses().pause(pauseMillis), done -> next()));
        }

        private boolean othersMayServe(FsException refused) {
            return refused.error() != FsError.CANCELLED
                    && !refusing.containsAll(cluster().aliveIoServers());
        }
    }

    /** The error of a failed reservation. Empty if the reservation succeeded or is still under way. */
    private static Optional<FsException> refusal(CompletableFuture<Handle> reserved) {
        return reserved.isCompletedExceptionally()
                ? reserved.handle((handle, failure) -> Optional.of(Futures.unwrap(failure))
                                .filter(FsException.class::isInstance)
                                .map(FsException.class::cast))
                        .join()
                : Optional.empty();
    }

    private CompletableFuture<UnnamedFile> metafile(FileSpec spec, List<ReservedHandles.Column> columns) {
        List<Handle> handles =
                columns.stream().map(column -> column.handle().orElseThrow()).toList();
        return PrecreatedCreate.metafile(spec, handles, random);
    }

    /** Makes the file by the fast path: the metafile and the reservations are under way at the same time. */
    private static CompletableFuture<Made> fastPath(
            CompletableFuture<UnnamedFile> metafile, CompletableFuture<Void> reserved) {
        return Futures.then(metafile, file -> {
            CompletableFuture<Made> result = new CompletableFuture<>();
            var unused = reserved.whenComplete((done, failure) -> {
                if (failure != null) {
                    file.undo(Futures.unwrap(failure), result);
                } else if (result.isDone()) {
                    file.undo(new CancellationException("given up before it had a name"), result);
                } else {
                    Futures.forward(file.link(), result);
                }
            });
            return result;
        });
    }

    /** Makes the file by the slow path: the metafile comes after the reservations. */
    private CompletableFuture<Made> slowPath(
            FileSpec spec, List<CompletableFuture<Handle>> reserved, CompletableFuture<Void> all) {
        return Futures.then(
                all,
                done -> PrecreatedCreate.createWith(
                        spec, reserved.stream().map(CompletableFuture::join).toList(), random));
    }
}
