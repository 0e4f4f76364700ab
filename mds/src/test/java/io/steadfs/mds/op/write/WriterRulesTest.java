package io.steadfs.mds.op.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.session.ClaimEnded;
import io.steadfs.mds.session.FileOpened;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.mds.testing.StateCheck;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.AbandonRequest;
import io.steadfs.wire.proto.AppendReply;
import io.steadfs.wire.proto.AppendRequest;
import io.steadfs.wire.proto.RecoverLeaseReply;
import io.steadfs.wire.proto.RecoverLeaseRequest;
import io.steadfs.wire.proto.TruncateFileReply;
import io.steadfs.wire.proto.TruncateFileRequest;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Who becomes the writer of a file, who loses it, and what that leaves, a line each: of a file /f of 100 bytes, mode 664 of
 * anna and group staff, that is closed, open (in the asking session), recovering, being cut, or
 * closed with a damaged datafile that could not be cut.
 */
class WriterRulesTest {
    private static final long LENGTH = 100;

    private final Shell shell = new Shell().given("create /f 664; chown anna /f; chgrp staff /f; mkdir /d");
    private final Handle file = StateCheck.of(shell.state.view()).handle("/f");

    private void given(String state) {
        MetafileRow.Builder row = row().toBuilder().setLength(LENGTH);
        shell.state.replay(List.of(new ClaimEnded(Shell.SESSION, file)));
        row.setUntouchedSession(0);
        if (state.equals("open")) {
            row.setWriterSession(Shell.SESSION);
            shell.state.replay(List.of(new FileOpened(Shell.SESSION, file)));
        }
        if (state.equals("recovering") || state.equals("cut")) {
            row.setRecovering(true);
            shell.state.replay(List.of(new RecoveryQueued(file)));
        }
        row.setCut(state.equals("cut") || state.equals("uncut"));
        shell.state.replay(List.of(new MetafileSet(file, row.build())));
    }

    private MetafileRow row() {
        return Metafiles.find(shell.state.view(), file).orElseThrow();
    }

    private <Q extends MessageLite> Reply decide(Operation<Q> operation, Q request, String user) {
        return shell.state.apply(operation.decide(request, Shell.principal(user), shell.state.view(), shell.inputs()));
    }

    private Reply ask(String user, String command) {
        String[] words = command.split(" ", -1);
        return switch (words[0]) {
            case "append" ->
                decide(
                        new AppendFile(),
                        AppendRequest.newBuilder()
                                .setLocation(Shell.at(words[1]))
                                .build(),
                        user);
            case "truncate" ->
                decide(
                        new TruncateFile(),
                        TruncateFileRequest.newBuilder()
                                .setLocation(Shell.at(words[1]))
                                .setLength(Long.parseLong(words[2]))
                                .build(),
                        user);
            case "recover" ->
                decide(
                        new RecoverLease(),
                        RecoverLeaseRequest.newBuilder()
                                .setLocation(Shell.at(words[1]))
                                .build(),
                        user);
            case "abandon" ->
                decide(
                        new AbandonFile(),
                        AbandonRequest.newBuilder()
                                .setMetafile(file.value())
                                .setWriteGeneration(Long.parseLong(words[1]))
                                .build(),
                        user);
            default -> throw new IllegalArgumentException(command);
        };
    }

    @ParameterizedTest(name = "{0}: {1} {2} -> {3}")
    @CsvSource({
        "closed, anna, append /f, OK, open, 2, 100",
        "closed, ben, append /f, OK, open, 2, 100",
        "closed, root, append /f, OK, open, 2, 100",
        "closed, cleo, append /f, PERMISSION_DENIED, closed, 1, 100",
        "closed, root, append /d, IS_A_DIRECTORY, closed, 1, 100",
        "closed, root, append /, IS_A_DIRECTORY, closed, 1, 100",
        "closed, root, append /no, NOT_FOUND, closed, 1, 100",
        "closed, root, append /f/x, NOT_A_DIRECTORY, closed, 1, 100",
        "open, anna, append /f, FILE_OPEN, open, 1, 100",
        "recovering, anna, append /f, FILE_OPEN, recovering, 1, 100",
        "cut, anna, append /f, BUSY, cut, 1, 100",
        "closed, ben, truncate /f 99, OK, cut, 2, 99",
        "closed, ben, truncate /f 0, OK, cut, 2, 0",
        "closed, ben, truncate /f 100, OK, closed, 1, 100",
        "closed, ben, truncate /f 101, INVALID_ARGUMENT, closed, 1, 100",
        "closed, ben, truncate /f -1, INVALID_ARGUMENT, closed, 1, 100",
        "closed, cleo, truncate /f 0, PERMISSION_DENIED, closed, 1, 100",
        "closed, root, truncate /d 0, IS_A_DIRECTORY, closed, 1, 100",
        "open, anna, truncate /f 0, FILE_OPEN, open, 1, 100",
        "recovering, anna, truncate /f 0, FILE_OPEN, recovering, 1, 100",
        "cut, anna, truncate /f 0, BUSY, cut, 1, 100",
        "uncut, anna, append /f, CORRUPT, uncut, 1, 100",
        "uncut, anna, truncate /f 100, OK, cut, 2, 100",
        "uncut, anna, truncate /f 99, OK, cut, 2, 99",
        "uncut, anna, truncate /f 101, INVALID_ARGUMENT, uncut, 1, 100",
        "uncut, anna, recover /f, OK, uncut, 1, 100",
        "closed, anna, recover /f, OK, closed, 1, 100",
        "open, ben, recover /f, OK, recovering, 2, 100",
        "open, cleo, recover /f, PERMISSION_DENIED, open, 1, 100",
        "recovering, anna, recover /f, OK, recovering, 1, 100",
        "cut, anna, recover /f, OK, cut, 1, 100",
        "open, root, recover /d, IS_A_DIRECTORY, open, 1, 100",
        "open, root, recover /no, NOT_FOUND, open, 1, 100",
        "open, anna, abandon 1, OK, recovering, 2, 100",
        "open, anna, abandon 2, STALE_GENERATION, open, 1, 100",
        "closed, anna, abandon 1, NOT_WRITER, closed, 1, 100",
        "recovering, anna, abandon 1, NOT_WRITER, recovering, 1, 100",
    })
    void rule(String before, String user, String command, String error, String after, long generation, long length) {
        given(before);
        MetafileRow row = row();
        Reply reply = ask(user, command);
        assertThat(reply.error()).as(reply.header().getMessage()).isEqualTo(FsError.valueOf(error));
        MetafileRow now = row();
        if (!reply.isOk()) {
            assertThat(now).as("a refusal changes nothing").isEqualTo(row);
        }
        assertThat(now.getWriteGeneration()).isEqualTo(generation);
        assertThat(now.getLength()).isEqualTo(length);
        assertThat(now.getWriterSession()).isEqualTo(after.equals("open") ? Shell.SESSION : 0);
        assertThat(now.getRecovering()).isEqualTo(after.equals("recovering") || after.equals("cut"));
        assertThat(now.getCut()).isEqualTo(after.equals("cut") || after.equals("uncut"));
        assertThat(OpenFiles.of(shell.state.view(), Shell.SESSION, 9)).hasSize(after.equals("open") ? 1 : 0);
        assertThat(RecoveringFiles.after(shell.state.view(), Handle.NONE, 9)).hasSize(now.getRecovering() ? 1 : 0);
        if (reply.isOk() && reply.body() instanceof AppendReply body) {
            assertThat(body.getAttributes().getLength()).isEqualTo(LENGTH);
            assertThat(body.getAttributes().getWriteGeneration()).isEqualTo(generation);
            assertThat(body.getAttributes().hasLayout()).isTrue();
            assertThat(body.getAttributes().getOpen()).isTrue();
        } else if (reply.isOk() && reply.body() instanceof TruncateFileReply body) {
            assertThat(body.getAttributes().getOpen()).isFalse();
            assertThat(body.getAttributes().getRecovering()).isEqualTo(after.equals("cut"));
            assertThat(body.getAttributes().getLength()).isEqualTo(length);
        } else if (reply.isOk() && reply.body() instanceof RecoverLeaseReply body) {
            assertThat(body.getClosed()).isEqualTo(after.equals("closed") || after.equals("uncut"));
        }
    }
}
