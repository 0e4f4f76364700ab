package io.steadfs.mds.op.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.mds.fence.Fences;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.proto.ListFencesReply;
import io.steadfs.wire.proto.ListFencesRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A shard that joins learns the fences of another one. */
class ListFencesTest {
    private final Shell known = new Shell();
    private final State joining = State.of();

    private static HandleRange range(int server, long first, int count) {
        return HandleRange.of(Handle.of(server, 0, first), count);
    }

    private Reply ask(Handle after) {
        return known.ask(
                new ListFences(),
                ListFencesRequest.newBuilder().setAfter(after.value()).build(),
                Shell.principal("root"));
    }

    private ListFencesReply page(Handle after) {
        Reply reply = ask(after);
        assertThat(reply.error()).isEqualTo(FsError.OK);
        return (ListFencesReply) reply.body();
    }

    private static List<HandleRange> ranges(ListFencesReply page) {
        return page.getRangesList().stream()
                .map(range -> new HandleRange(new Handle(range.getFirst()), new Handle(range.getLast())))
                .toList();
    }

    private void fence(HandleRange... ranges) {
        known.state.replay(Fences.add(known.state.view(), List.of(ranges)));
    }

    private void adopt(ListFencesReply page) {
        joining.apply(new AdoptFences(ranges(page)).decide(joining.view(), FixedInputs.now()));
    }

    private boolean isFenced(int server, long sequence) {
        return Fences.hold(joining.view(), Handle.of(server, 0, sequence));
    }

    @Test
    void allFencesOfAllServersAreLearnt() {
        fence(range(1, 10, 5), range(1, 20, 1), range(7, 3, 2));
        ListFencesReply page = page(Handle.NONE);
        assertThat(page.getMore()).isFalse();
        adopt(page);
        adopt(page);
        assertThat(Fences.after(joining.view(), Handle.NONE, 9))
                .containsExactly(range(1, 10, 5), range(1, 20, 1), range(7, 3, 2));
    }

    @Test
    void fencesThatMergeBetweenTwoPagesAreNotMissed() {
        List<HandleRange> many = new ArrayList<>();
        for (int i = 0; i < ListFences.PAGE + 2; i++) {
            many.add(range(1, 10L * (i + 1), 5));
        }
        fence(many.toArray(HandleRange[]::new));
        ListFencesReply first = page(Handle.NONE);
        assertThat(first.getMore()).isTrue();
        adopt(first);
        // The last interval of the page and the next one become one, and one more comes before the cursor.
        fence(range(1, 10L * ListFences.PAGE + 5, 5), range(1, 5, 2));
        adopt(page(ranges(first).get(ListFences.PAGE - 1).last()));
        for (HandleRange each : many) {
            assertThat(isFenced(1, each.first().sequence())).as("%s", each).isTrue();
            assertThat(isFenced(1, each.last().sequence())).as("%s", each).isTrue();
        }
        assertThat(isFenced(1, 18)).isFalse();
    }

    /** A store that is an older state may have forgotten fences. */
    @Test
    void aShardThatIsNotSettledTellsNone() {
        known.state.replay(List.of(view -> Unsettled.mark(view, ShardTables.META, "an older state")));
        assertThat(ask(Handle.NONE).error()).isEqualTo(FsError.BUSY);
    }
}
