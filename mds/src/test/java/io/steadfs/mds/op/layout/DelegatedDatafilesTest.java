package io.steadfs.mds.op.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.name.CreateFile;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pool.PoolChanged;
import io.steadfs.mds.pool.PooledLease;
import io.steadfs.mds.pool.PooledLeases;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.FenceHandlesRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Files whose datafiles the shard takes out of its own leases. */
class DelegatedDatafilesTest {
    private static final int ALL = 255;

    private final Shell shell = new Shell().given("mkdir /d 777");
    private final long holder = shell.inputs().holder();

    private static HandleRange range(int server, long first, int count) {
        return HandleRange.of(Handle.of(server, 0, first), count);
    }

    private <A> A apply(InternalCommand<A> command) {
        Decision<A> decision = command.decide(shell.state.view(), shell.inputs());
        shell.state.apply(decision);
        return decision.answer();
    }

    private boolean pool(HandleRange range) {
        return apply(new PoolLease(holder, range));
    }

    private Reply create(String path, int width, int delegated) {
        Decision<Reply> decision = decide(path, width, delegated);
        shell.state.apply(decision);
        return decision.answer();
    }

    private Decision<Reply> decide(String path, int width, int delegated) {
        CreateRequest request = CreateRequest.newBuilder()
                .setLocation(Shell.at(path))
                .setMode(0644)
                .setWidth(width)
                .setDelegatedColumns(delegated)
                .build();
        return decide(request);
    }

    private Decision<Reply> decide(CreateRequest request) {
        return new CreateFile(0).decide(request, Shell.principal("anna"), shell.state.view(), shell.inputs());
    }

    private static Attributes attributes(Reply reply) {
        assertThat(reply.isOk()).as(reply.header().getMessage()).isTrue();
        return ((CreateReply) reply.body()).getAttributes();
    }

    private List<Handle> datafiles(Attributes file) {
        List<Handle> datafiles = new ArrayList<>();
        file.getLayout().getDatafilesList().forEach(value -> datafiles.add(new Handle(value)));
        for (Handle datafile : datafiles) {
            if (!datafile.isNone()) {
                assertThat(ListedDatafiles.find(shell.state.view(), datafile)
                                .orElseThrow()
                                .metafile())
                        .isEqualTo(new Handle(file.getHandle()));
            }
        }
        return datafiles;
    }

    private long atHand(int server) {
        return PooledLeases.of(shell.state.view(), server).stream()
                .mapToLong(PooledLease::count)
                .sum();
    }

    @Test
    void eachColumnGetsAnotherHandleAndNoneIsGivenTwice() {
        for (int server = 1; server <= 2; server++) {
            assertThat(pool(range(server, 100, 4))).isTrue();
            assertThat(pool(range(server, 200, 4))).isTrue();
        }
        Set<Handle> given = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            List<Handle> datafiles = datafiles(attributes(create("/d/f" + i, 2, ALL)));
            assertThat(datafiles).extracting(Handle::owner).containsExactlyInAnyOrder(1, 2);
            given.addAll(datafiles);
        }
        assertThat(given).hasSize(16);
        assertThat(PooledLeases.all(shell.state.view())).isEmpty();
        Attributes none = attributes(create("/d/none", 2, ALL));
        assertThat(datafiles(none)).allMatch(Handle::isNone);
        assertThat(none.getLayout().getServersList()).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void aServerWithoutHandlesIsPassedOverAndAskedForMore() {
        pool(range(2, 100, 2));
        for (int i = 0; i < 2; i++) {
            assertThat(datafiles(attributes(create("/d/one" + i, 1, ALL))))
                    .singleElement()
                    .matches(each -> each.owner() == 2);
        }
        pool(range(2, 200, 2));
        Decision<Reply> decision = decide("/d/f", 2, ALL);
        shell.state.apply(decision);
        Attributes file = attributes(decision.answer());
        assertThat(datafiles(file).stream().filter(each -> !each.isNone())).hasSize(1);
        assertThat(file.getLayout().getServersList()).containsExactlyInAnyOrder(1, 2);
        Map<Integer, Integer> wanted = new HashMap<>();
        for (LogRecord record : decision.records()) {
            if (record instanceof PoolChanged changed) {
                wanted.put(changed.server(), changed.wanted());
            }
        }
        assertThat(wanted).as("of the one that had none").containsEntry(1, 1);
        assertThat(wanted.get(2)).as("of the one that had one").isBetween(1, 2);
    }

    @Test
    void moreColumnsThanServersGetHandlesEvenly() {
        for (int server = 1; server <= 2; server++) {
            pool(range(server, 100, 4));
        }
        List<Handle> datafiles = datafiles(attributes(create("/d/wide", 5, ALL)));
        assertThat(datafiles).noneMatch(Handle::isNone).doesNotHaveDuplicates();
        assertThat(atHand(1) + atHand(2)).isEqualTo(3);
        assertThat(List.of(atHand(1), atHand(2))).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    void onlySoManyColumnsAsAreDelegated() {
        for (int server = 1; server <= 2; server++) {
            pool(range(server, 100, 4));
        }
        List<Handle> datafiles = datafiles(attributes(create("/d/first", 3, 1)));
        assertThat(datafiles.get(0).isNone()).isFalse();
        assertThat(datafiles.subList(1, 3)).allMatch(Handle::isNone);
        assertThat(datafiles(attributes(create("/d/none", 3, 0)))).allMatch(Handle::isNone);
        assertThat(create("/d/bad", 1 << 20, ALL).error()).isEqualTo(FsError.INVALID_ARGUMENT);
    }

    @Test
    void aHandleThatAClientNamedIsPassedOver() {
        pool(range(1, 100, 3));
        AttachedColumn named = AttachedColumn.newBuilder()
                .setDatafile(range(1, 100, 3).first().value())
                .build();
        CreateRequest.Builder request = CreateRequest.newBuilder()
                .setLocation(Shell.at("/d/own"))
                .setMode(0644)
                .setWidth(1)
                .addColumns(named);
        assertThat(decide(request.build()).answer().isOk()).isTrue();
        shell.state.apply(decide(request.build()));
        assertThat(datafiles(attributes(create("/d/f", 1, ALL))))
                .containsExactly(new Handle(range(1, 100, 3).first().value() + 1));
        assertThat(atHand(1)).isEqualTo(1);
        request.setLocation(Shell.at("/d/both")).setDelegatedColumns(1);
        assertThat(decide(request.build()).answer().error())
                .as("datafiles of the client and of the shard")
                .isEqualTo(FsError.INVALID_ARGUMENT);
    }

    @Test
    void whatIsFencedOrOfAnotherProcessIsNotGiven() {
        pool(range(1, 100, 4));
        FenceHandlesRequest fence = FenceHandlesRequest.newBuilder()
                .addRanges(FenceHandlesRequest.Range.newBuilder()
                        .setFirst(range(1, 100, 4).first().value())
                        .setLast(range(1, 100, 4).last().value()))
                .build();
        shell.state.apply(new FenceHandles()
                .decide(
                        fence,
                        Shell.principal("anna").on(PeerIdentity.server(TestHello.io(1))),
                        shell.state.view(),
                        shell.inputs()));
        assertThat(PooledLeases.all(shell.state.view())).isEmpty();
        assertThat(pool(range(1, 100, 4)))
                .as("granted before the fence, heard after it")
                .isFalse();
        assertThat(apply(new PoolLease(holder + 1, range(1, 300, 4))))
                .as("asked for by an earlier process")
                .isFalse();
        assertThat(datafiles(attributes(create("/d/f", 1, ALL)))).allMatch(Handle::isNone);

        shell.state.apply(Decision.of(0, new PoolChanged(1, List.of(PooledLease.of(holder + 1, range(1, 400, 4))), 0)));
        assertThat(datafiles(attributes(create("/d/g", 1, ALL))))
                .as("an earlier process had it")
                .allMatch(Handle::isNone);
        assertThat(apply(new DropLeases(1, Set.of(range(1, 400, 4).first())))).isEqualTo(1);
        assertThat(apply(new DropLeases(1, Set.of(range(1, 400, 4).first())))).isZero();
        assertThat(PooledLeases.all(shell.state.view())).isEmpty();
    }
}
