package io.steadfs.mds.duty;

import static io.steadfs.mds.testing.SimulatedCluster.at;
import static io.steadfs.mds.testing.SimulatedCluster.close;
import static io.steadfs.mds.testing.SimulatedCluster.column;
import static io.steadfs.mds.testing.SimulatedCluster.createFile;
import static io.steadfs.mds.testing.SimulatedCluster.mkdirs;
import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.deletion.QueuedDatafile;
import io.steadfs.mds.testing.SimulatedClient;
import io.steadfs.mds.testing.SimulatedCluster;
import io.steadfs.simulation.Faults;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.DeleteRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a delete leaves behind, and how it is cleared away. */
class DeletionDutiesTest {
    private static void delete(SimulatedClient client, String path) {
        assertThat(client.call(
                                Kind.DELETE,
                                DeleteRequest.newBuilder()
                                        .setLocation(at(path))
                                        .setRecursive(true)
                                        .build())
                        .error())
                .isEqualTo(FsError.OK);
    }

    private static Attributes write(SimulatedCluster cluster, SimulatedClient client, String path) {
        Attributes file = createFile(client, path);
        client.call(
                Kind.CLOSE,
                close(
                        file,
                        (1 << 20) + 1,
                        column(0, cluster.io1().make(1 << 20)),
                        column(1, cluster.io2().make(1))));
        return file;
    }

    private static boolean isEmpty(ReadView view) {
        return DeletionQueue.servers(view).isEmpty()
                && DeletionQueue.trees(view, Handle.NONE, 1).isEmpty();
    }

    @Test
    void aDeadIoServerHoldsUpNobodyElse() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedClient client = cluster.client(1);
        write(cluster, client, "f");
        cluster.network().crash(SimulatedCluster.IO_2);
        delete(client, "f");
        cluster.until("io-1 is done", view -> !DeletionQueue.servers(view).contains(1), 1000);
        cluster.time().runFor(30_000);
        assertThat(DeletionQueue.servers(cluster.committed())).containsExactly(2);
        assertThat(cluster.io1().lengths()).isEmpty();
        assertThat(cluster.io2().lengths()).hasSize(1);

        cluster.network().start(SimulatedCluster.IO_2, cluster.io2());
        cluster.until("io-2 is done", DeletionDutiesTest::isEmpty, 70_000);
        assertThat(cluster.io2().lengths()).isEmpty();
    }

    @Test
    void removalsNameTheMetafileAndWaitForWhatIsKept() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedClient client = cluster.client(1);
        mkdirs(client, "d");
        Handle first = new Handle(write(cluster, client, "f").getHandle());
        Handle second = new Handle(write(cluster, client, "d/f").getHandle());
        Handle kept = cluster.io1().lengths().firstKey();
        Handle gone = cluster.io1().lengths().lastKey();
        cluster.io1().unreadable().add(kept);
        delete(client, "f");
        delete(client, "d");

        cluster.time().runFor(300_000);
        assertThat(cluster.io1().lengths()).containsOnlyKeys(kept);
        assertThat(cluster.io1().removedFor()).containsEntry(kept, first).containsEntry(gone, second);
        assertThat(cluster.io1().removeMessages()).isBetween(3, 30);
        assertThat(DeletionQueue.datafiles(cluster.committed(), 1, QueuedDatafile.NONE, 9))
                .containsExactly(new QueuedDatafile(kept, first));

        cluster.io1().unreadable().clear();
        cluster.until("all is removed", DeletionDutiesTest::isEmpty, 70_000);
        assertThat(cluster.io1().lengths()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void lostAndDoubledMessagesDoNoHarm(long seed) {
        SimulatedCluster cluster = new SimulatedCluster(seed);
        SimulatedClient client = cluster.client(1);
        write(cluster, client, "kept");
        for (int i = 0; i < 20; i++) {
            write(cluster, client, "f" + i);
        }
        cluster.network().setFaults(new Faults(300, 300, 50, 20_000));
        for (int i = 0; i < 20; i++) {
            delete(client, "f" + i);
        }
        cluster.until("all is removed", DeletionDutiesTest::isEmpty, 600_000);
        assertThat(cluster.io1().lengths()).hasSize(1);
        assertThat(cluster.io2().lengths()).hasSize(1);
        assertThat(cluster.state().paths()).containsExactly("/kept");
    }

    @Test
    void manyDatafilesGoInBatches() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedClient client = cluster.client(1);
        mkdirs(client, "d/e");
        for (int i = 0; i < 1500; i++) {
            write(cluster, client, i % 2 == 0 ? "d/f" + i : "d/e/f" + i);
        }
        delete(client, "d");
        cluster.until("all is removed", DeletionDutiesTest::isEmpty, 60_000);
        assertThat(cluster.io1().lengths()).isEmpty();
        assertThat(cluster.io2().lengths()).isEmpty();
        assertThat(cluster.io1().removeMessages()).isBetween(2, 20);
        assertThat(cluster.state().paths()).isEmpty();
    }

    @Test
    void aTreeGoesAtOnceAndClientsAreServedWhileItIsReclaimed() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedClient client = cluster.client(1);
        mkdirs(client, "top");
        for (int i = 0; i < 40; i++) {
            mkdirs(client, "top/d" + i);
            for (int j = 0; j < 10; j++) {
                createFile(client, "top/d" + i + "/open" + j);
            }
        }
        delete(client, "top");
        assertThat(cluster.state().paths()).isEmpty();
        assertThat(isEmpty(cluster.committed())).isFalse();
        mkdirs(client, "top/again");
        cluster.until("all is reclaimed", DeletionDutiesTest::isEmpty, 60_000);
        assertThat(cluster.state().paths()).containsExactly("/top/", "/top/again/");
    }

    @Test
    void aDrainThatACrashInterruptsGoesOnAfterTheRestart() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedClient client = cluster.client(1);
        for (int i = 0; i < 10; i++) {
            write(cluster, client, "f" + i);
            delete(client, "f" + i);
            cluster.time().runFor(i * 11L);
            cluster.mds().crash(500);
            cluster.time().runFor(600);
        }
        cluster.until("all is removed", DeletionDutiesTest::isEmpty, 60_000);
        assertThat(cluster.io1().lengths()).isEmpty();
        assertThat(cluster.io2().lengths()).isEmpty();
    }

    @Test
    void aStoppedShardIsNotPressedByItsDuties() {
        SimulatedCluster cluster = new SimulatedCluster(1);
        SimulatedClient client = cluster.client(1);
        write(cluster, client, "f");
        delete(client, "f");
        cluster.mds().store().failNextCommit();
        cluster.time().runFor(600_000);
        assertThat(cluster.io1().removeMessages()).isBetween(2, 30);
        assertThat(DeletionQueue.servers(cluster.committed())).containsExactly(1, 2);
    }
}
