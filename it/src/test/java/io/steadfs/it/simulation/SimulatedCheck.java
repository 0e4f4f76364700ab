package io.steadfs.it.simulation;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.fsck.Check;
import io.steadfs.fsck.ClusterServers;
import io.steadfs.fsck.Finding;
import io.steadfs.fsck.Pace;
import io.steadfs.fsck.Waiting;
import io.steadfs.fsck.Work;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.proto.Caller;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A check of the simulated file system. Time goes on, and with it all others, while it waits for an answer. */
final class SimulatedCheck {
    private static final String NAME = "fsck";
    private static final long ANSWER_MILLIS = 2_000;
    private static final long PATIENCE_MILLIS = 5_000;
    private static final long MOST_WAIT_MILLIS = 600_000;

    /** Few, so that much happens between one page and the next. */
    private static final int PAGE_ROWS = 7;

    private final SimulatedCluster cluster;
    private Account account = new Account(0, 0, 0);

    /**
     * What checks of a run came to.
     *
     * @param complete those beside others that could look at everything
     * @param rows that these looked at
     */
    record Account(int begun, int complete, long rows) {
        Account plus(Account other) {
            return new Account(begun + other.begun, complete + other.complete, rows + other.rows);
        }
    }

    SimulatedCheck(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    Account account() {
        return account;
    }

    /** While others work, and servers go and come: what it finds, if it can look, is nothing. */
    void beside() {
        check(false);
    }

    /** Looks at everything, and finds nothing. */
    void alone() {
        check(true);
    }

    private void check(boolean alone) {
        Pace pace = new Pace(0);
        account = account.plus(new Account(1, 0, 0));
        try (Work work = new Work(new MemoryStore(Work.tables()))) {
            Check.Result result = new Check(servers(), work, pace, PAGE_ROWS, true).run();
            List<Finding> findings = work.findings(10);
            if (!findings.isEmpty()) {
                throw new AssertionError("the check finds what is not so: " + findings);
            }
            if (result.isComplete()) {
                account = account.plus(new Account(0, 1, pace.look().rows()));
            } else if (alone) {
                throw new AssertionError("the check does not come to its end: " + result);
            }
        } catch (IOException e) {
            boolean mayBe = !alone && e instanceof FsException refused && isPassing(refused.error());
            if (!mayBe) {
                throw new AssertionError("the check fails: " + e, e);
            }
        }
    }

    private static boolean isPassing(FsError error) {
        return switch (error.resolver()) {
            case RETRY, REFRESH -> true;
            default -> false;
        };
    }

    private ClusterServers servers() throws FsException {
        return new ClusterServers(
                new Pumped(cluster.around().network().client(NAME, PeerIdentity.admin(SimulatedCluster.SUPERUSER))),
                () -> cluster.around().membership().newest(),
                Caller.newBuilder().setUser(SimulatedCluster.SUPERUSER).build(),
                PATIENCE_MILLIS,
                new Waiting() {
                    @Override
                    public long nanos() {
                        return cluster.around().time().monotonicNanos();
                    }

                    @Override
                    public void pause(long millis) {
                        cluster.run(() -> false, millis);
                    }
                });
    }

    /** What is sent is answered, or not, before the sender goes on. */
    private final class Pumped implements Transport {
        private final Transport network;

        Pumped(Transport network) {
            this.network = network;
        }

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            CompletableFuture<Reply> answer = network.send(server, request, ANSWER_MILLIS);
            if (!cluster.run(answer::isDone, MOST_WAIT_MILLIS)) {
                throw new AssertionError("neither an answer nor a failure: " + request.kind());
            }
            return answer;
        }

        @Override
        public void close() {
            network.close();
        }
    }
}
