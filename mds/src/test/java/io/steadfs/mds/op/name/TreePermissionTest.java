package io.steadfs.mds.op.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.pipeline.Checked;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.wire.proto.DeleteRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies between the check of a recursive delete and its decision, and what the check costs. */
class TreePermissionTest {
    private static final Principal ANNA = Shell.principal("anna");
    private static final DeleteRequest DELETE = DeleteRequest.newBuilder()
            .setLocation(Shell.at("/d"))
            .setRecursive(true)
            .build();

    private final Shell shell = new Shell().given("chmod 777 /; mkdir /d; create /d/f; create /d/g; chown anna /d");

    private Checked<DeleteRequest> check(ReadView view) {
        return new TreePermission().check(DELETE, ANNA, view, shell.inputs());
    }

    private Reply decide(Checked<DeleteRequest> checked) {
        assertThat(checked.refusal()).isEmpty();
        return shell.state.apply(
                checked.instead().orElseThrow().decide(DELETE, ANNA, shell.state.view(), shell.inputs()));
    }

    private boolean isQueued() {
        return !DeletionQueue.trees(shell.state.view(), Handle.NONE, 1).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete-r /d", "rename /d /before"})
    void onlyTheTreeThatWasCheckedIsDeleted(String meanwhile) {
        Checked<DeleteRequest> checked = check(shell.state.view());
        shell.given(meanwhile + "; mkdir /d; mkdir /d/private 700; create /d/private/f");
        boolean before = isQueued();
        assertThat(decide(checked).error()).isEqualTo(FsError.BUSY);
        assertThat(isQueued()).isEqualTo(before);
        assertThat(shell.stat("/d/private/f").getHandle()).isNotZero();
        assertThat(shell.errorOf("anna", "delete-r /d")).isEqualTo(FsError.PERMISSION_DENIED);
    }

    @Test
    void aTreeThatCameAfterTheCheckIsNotDeleted() {
        shell.given("rename /d /before");
        Checked<DeleteRequest> checked = check(shell.state.view());
        shell.given("rename /before /d");
        assertThat(decide(checked).error()).isEqualTo(FsError.BUSY);
        assertThat(isQueued()).isFalse();
        assertThat(decide(check(shell.state.view())).error()).isEqualTo(FsError.OK);
        assertThat(isQueued()).isTrue();
    }

    @Test
    void filesAreLookedUpInStickyDirectoriesOnly() {
        int before = lookUps();
        shell.given("create /d/h; create /d/i");
        assertThat(lookUps()).isEqualTo(before);

        shell.given("mkdir /d/s 1777");
        int withDirectory = lookUps();
        shell.given("create /d/s/x; chown anna /d/s/x; create /d/s/y; chown anna /d/s/y");
        assertThat(lookUps()).isEqualTo(withDirectory + 2);
    }

    private int lookUps() {
        CountingView view = new CountingView(shell.state.view());
        assertThat(check(view).refusal()).isEmpty();
        return view.lookUps;
    }

    private static final class CountingView implements ReadView {
        private final ReadView view;
        private int lookUps;

        CountingView(ReadView view) {
            this.view = view;
        }

        @Override
        public Optional<byte[]> get(Table table, byte[] key) {
            if (table.equals(ShardTables.INODE)) {
                lookUps++;
            }
            return view.get(table, key);
        }

        @Override
        public Cursor scan(Table table, byte[] from, byte[] to) {
            return view.scan(table, from, to);
        }
    }
}
