package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.ioserver.datafile.DatafileRows;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.EndLeasesRequest;
import io.steadfs.wire.proto.LeaseHandlesReply;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import io.steadfs.wire.proto.ReserveHandleReply;
import io.steadfs.wire.proto.ReserveHandleRequest;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What happens to a handle that is leased without a datafile, with power cuts in between. */
class ReserveHandleTest {
    private static final long HOLDER = 0x4711;
    private static final byte[] BYTES = {1, 2, 3};

    private static LeaseHandlesRequest spec(int count) {
        return LeaseHandlesRequest.newBuilder()
                .setHolder(HOLDER)
                .setCount(count)
                .setHandlesOnly(true)
                .build();
    }

    private static HandleRange range(LeaseHandlesReply lease) {
        return HandleRange.of(new Handle(lease.getFirst()), lease.getCount());
    }

    private static HandleRange lease(IoRig rig, LeaseHandlesRequest request) {
        return range((LeaseHandlesReply)
                IoRig.ok(rig.ask(Kind.LEASE_HANDLES, request)).body());
    }

    private static Reply reserve(IoRig rig, Handle datafile, int more) {
        ReserveHandleRequest.Builder request = ReserveHandleRequest.newBuilder().setDatafile(datafile.value());
        if (more > 0) {
            request.setMore(spec(more));
        }
        return rig.ask(Kind.RESERVE_HANDLE, request.build());
    }

    private static Reply write(IoRig rig, Handle datafile) {
        return rig.ask(Kind.WRITE, IoRig.write(datafile, 0, BYTES, true).build(), BYTES);
    }

    private static int rows(IoRig rig) {
        int rows = 0;
        try (ReadView.Cursor cursor =
                rig.store.committed().scan(DatafileTables.DATAFILE, new byte[0], new byte[] {-1})) {
            while (cursor.next()) {
                rows++;
            }
        }
        return rows;
    }

    @Test
    void aReservedHandleHasADatafileAndBringsMore() throws IOException {
        try (IoRig rig = new IoRig()) {
            HandleRange range = lease(rig, spec(4));
            assertThat(rows(rig)).isZero();
            assertThat(rig.stat(range.last()).getLength())
                    .as("empty, as far as readers see")
                    .isZero();
            ReserveHandleReply reply = (ReserveHandleReply)
                    IoRig.ok(reserve(rig, range.first(), 7)).body();
            assertThat(range(reply.getMore()).count()).isEqualTo(7);
            assertThat(((ReserveHandleReply)
                                    IoRig.ok(reserve(rig, range.first(), 0)).body())
                            .hasMore())
                    .isFalse();
            rig.crash(new Random(1));
            assertThat(rows(rig)).isEqualTo(1);
            assertThat(rig.core().leases().unused()).isEqualTo(11);
        }
    }

    @Test
    void theFirstOfALeaseIsReservedWithIt() throws IOException {
        try (IoRig rig = new IoRig()) {
            HandleRange range =
                    lease(rig, spec(4).toBuilder().setReserveFirst(true).build());
            assertThat(rows(rig)).isEqualTo(1);
            rig.crash(new Random(1));
            IoRig.ok(reserve(rig, range.first(), 0));
            assertThat(rows(rig)).isEqualTo(1);
            assertThat(rig.core().leases().unused()).isEqualTo(4);
        }
    }

    @Test
    void aHandleWhoseDatafileWasRemovedGetsNoneAgain() throws IOException {
        try (IoRig rig = new IoRig()) {
            HandleRange range = lease(rig, spec(4));
            Handle never = range.first();
            Handle reserved = new Handle(never.value() + 1);
            Handle written = new Handle(never.value() + 2);
            IoRig.ok(reserve(rig, reserved, 0));
            IoRig.ok(write(rig, written));
            for (Handle each : new Handle[] {never, reserved, written}) {
                assertThat(rig.remove(each)).as("%s", each).isEqualTo(1);
            }
            for (int life = 0; life < 2; life++) {
                for (Handle each : new Handle[] {never, reserved, written}) {
                    assertThat(reserve(rig, each, 0).error()).isEqualTo(FsError.LEASE_REVOKED);
                    assertThat(write(rig, each).error()).isEqualTo(FsError.NO_SUCH_DATAFILE);
                    assertThat(IoRig.errorOf(rig.stat(each))).isEqualTo(FsError.NO_SUCH_DATAFILE);
                }
                assertThat(rows(rig)).isZero();
                assertThat(rig.core().leases().unused()).isEqualTo(1);
                rig.crash(new Random(life));
            }
        }
    }

    /** Its removal was committed just behind the end of the lease. */
    @Test
    void whatIsRememberedOfALeaseThatHasEndedIsForgotten() throws IOException {
        try (IoRig rig = new IoRig()) {
            HandleRange range = lease(rig, spec(2));
            assertThat(rig.remove(range.first())).isEqualTo(1);
            Overlay late = rig.store.overlay();
            DatafileRows.putGone(late, new Handle(range.last().value() + 1));
            rig.store.commit(late, true);
            rig.crash(new Random(1));
            assertThat(DatafileRows.gone(rig.store.committed())).containsExactly(range.first());
            assertThat(rig.core().leases().unused()).isEqualTo(1);
        }
    }

    @Test
    void handlesOnTheWayOfAReservationHaveNoDatafiles() throws IOException {
        try (IoRig rig = new IoRig()) {
            HandleRange range = lease(rig, spec(2));
            LeaseHandlesRequest more = spec(3).toBuilder().setHandlesOnly(false).build();
            IoRig.ok(rig.ask(
                    Kind.RESERVE_HANDLE,
                    ReserveHandleRequest.newBuilder()
                            .setDatafile(range.first().value())
                            .setMore(more)
                            .build()));
            assertThat(rows(rig)).isEqualTo(1);
        }
    }

    @Test
    void whatIsNotLeasedIsNotReserved() throws IOException {
        try (IoRig rig = new IoRig()) {
            HandleRange range = lease(rig, spec(2));
            Handle behind = new Handle(range.last().value() + 1);
            assertThat(reserve(rig, behind, 3).error()).isEqualTo(FsError.LEASE_REVOKED);
            assertThat(rig.core().leases().unused())
                    .as("who is refused gets no others")
                    .isEqualTo(2);
            assertThat(reserve(rig, Handle.of(range.first().owner() + 1, 0, 1), 0)
                            .error())
                    .isEqualTo(FsError.NOT_OWNER);
            IoRig.ok(write(rig, range.first()));
            assertThat(reserve(rig, range.first(), 0).error()).isEqualTo(FsError.ALREADY_ATTACHED);
            IoRig.ok(rig.ask(
                    Kind.END_LEASES,
                    EndLeasesRequest.newBuilder().setHolder(HOLDER).build()));
            IoRig.ok(reserve(rig, range.last(), 0));
        }
    }
}
