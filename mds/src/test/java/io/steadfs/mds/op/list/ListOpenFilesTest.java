package io.steadfs.mds.op.list;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.session.FileOpened;
import io.steadfs.mds.session.FileReleased;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.testing.StateCheck;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.wire.proto.ListOpenFilesReply;
import io.steadfs.wire.proto.ListOpenFilesRequest;
import io.steadfs.wire.proto.OpenFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of the list of open files, cut everywhere. */
class ListOpenFilesTest {
    private static final long OTHER = Shell.SESSION + 1;
    private static final int MINE = 5;

    private final Shell shell = new Shell();
    private final ListOpenFiles list = new ListOpenFiles();
    /** All that are open, in the order of the list. */
    private final List<Handle> open = new ArrayList<>();

    ListOpenFilesTest() {
        for (int i = 0; i < MINE; i++) {
            shell.given("create /f" + i + " 644");
            open.add(StateCheck.of(shell.state.view()).handle("/f" + i));
        }
        shell.state.replay(List.of(new SessionPut(new Session(OTHER, "another", "root", 1, 1, false))));
        // Another session has the third one now, and the row of the first one is still there.
        Handle taken = open.remove(2);
        shell.state.replay(List.of(
                new FileOpened(OTHER, taken, "/f2", 7),
                new MetafileSet(
                        taken,
                        Metafiles.find(shell.state.view(), taken).orElseThrow().toBuilder()
                                .setWriterSession(OTHER)
                                .build())));
        open.add(taken);
    }

    private Reply ask(ReadView view, ByteString cursor, int limit) {
        return list.answer(
                ListOpenFilesRequest.newBuilder()
                        .setCursor(cursor)
                        .setLimit(limit)
                        .build(),
                Shell.principal("root"),
                view,
                shell.inputs());
    }

    private ListOpenFilesReply page(ReadView view, ByteString cursor, int limit) {
        return (ListOpenFilesReply) ask(view, cursor, limit).body();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 0})
    void pagesOfAnySizeHaveEachFileOnce(int limit) {
        List<Handle> met = new ArrayList<>();
        ByteString cursor = ByteString.EMPTY;
        int pages = 0;
        do {
            ListOpenFilesReply page = page(shell.state.view(), cursor, limit);
            page.getFilesList().stream()
                    .map(OpenFile::getMetafile)
                    .map(Handle::new)
                    .forEach(met::add);
            cursor = page.getNext();
            pages++;
        } while (!cursor.isEmpty());
        assertThat(met).isEqualTo(open);
        int rows = MINE + 1;
        assertThat(pages).isEqualTo(limit == 0 ? 1 : (rows + limit - 1) / limit);
    }

    @Test
    void whatIsClosedBetweenTwoPagesMovesNoOther() {
        ListOpenFilesReply first = page(shell.state.view(), ByteString.EMPTY, 2);
        shell.state.replay(List.of(new FileReleased(Shell.SESSION, open.get(1))));
        assertThat(page(shell.state.view(), first.getNext(), 0).getFilesList())
                .extracting(each -> new Handle(each.getMetafile()))
                .isEqualTo(open.subList(2, open.size()));
    }

    @Test
    void aPageReadsNoRowBeforeItsFirst() {
        ListOpenFilesReply first = page(shell.state.view(), ByteString.EMPTY, MINE - 1);
        CountedRows counted = new CountedRows(shell.state.view());
        assertThat(page(counted, first.getNext(), 1).getFilesCount()).isLessThanOrEqualTo(1);
        assertThat(counted.scanned).as("the page's row, and the next one").isEqualTo(2);
    }

    @Test
    void aCursorTellsNoSessionAndOthersAreRefused() {
        ByteString cursor = page(shell.state.view(), ByteString.EMPTY, 1).getNext();
        assertThat(cursor.toByteArray()).hasSize(44);
        assertThat(page(shell.state.view(), ByteString.EMPTY, 1).getNext())
                .as("even two of one place differ")
                .isNotEqualTo(cursor);
        byte[] changed = cursor.toByteArray();
        changed[20] ^= 1;
        for (ByteString each : List.of(ByteString.copyFrom(changed), cursor.substring(0, 20), cursor.substring(0, 3))) {
            Reply reply = ask(shell.state.view(), each, 1);
            assertThat(reply.error()).isEqualTo(FsError.INVALID_ARGUMENT);
            assertThat(reply.header().getMessage()).contains("list from the beginning");
        }
        assertThat(new ListOpenFiles()
                        .answer(
                                ListOpenFilesRequest.newBuilder()
                                        .setCursor(cursor)
                                        .build(),
                                Shell.principal("root"),
                                shell.state.view(),
                                shell.inputs())
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
    }

    /** Counts the rows that scans meet. */
    private static final class CountedRows implements ReadView {
        private final ReadView rows;
        private int scanned;

        CountedRows(ReadView rows) {
            this.rows = rows;
        }

        @Override
        public Optional<byte[]> get(Table table, byte[] key) {
            return rows.get(table, key);
        }

        @Override
        public Cursor scan(Table table, byte[] from, byte[] to) {
            Cursor cursor = rows.scan(table, from, to);
            return new Cursor() {
                @Override
                public boolean next() {
                    boolean isThere = cursor.next();
                    scanned += isThere ? 1 : 0;
                    return isThere;
                }

                @Override
                public byte[] key() {
                    return cursor.key();
                }

                @Override
                public byte[] value() {
                    return cursor.value();
                }

                @Override
                public void close() {
                    cursor.close();
                }
            };
        }
    }
}
