package io.steadfs.client;

import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.list.Answers;
import io.steadfs.client.list.FileInfo;
import io.steadfs.path.FsPath;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateSymlinkReply;
import io.steadfs.wire.proto.CreateSymlinkRequest;
import io.steadfs.wire.proto.DeleteReply;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.MkdirsReply;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.RenameReply;
import io.steadfs.wire.proto.RenameRequest;
import java.util.concurrent.CompletableFuture;

/**
 * Makes directories, and deletes and renames files and directories. Each method builds a request, and converts the
 * reply for its caller. Thread-safe.
 */
public final class NameCalls {
    private final PathCalls calls;

    NameCalls(PathCalls calls) {
        this.calls = calls;
    }

    /**
     * As {@link SteadFs#mkdirs}. New parent directories get the same mode, but their owner may always write and enter
     * the directories.
     */
    public CompletableFuture<FileInfo> mkdirs(FsPath path, int mode, boolean createParents, boolean exclusive) {
        return calls.change(
                        Kind.MKDIRS,
                        "mkdirs",
                        path,
                        MkdirsReply.class,
                        location -> MkdirsRequest.newBuilder()
                                .setLocation(location)
                                .setMode(mode)
                                .setCreateParents(createParents)
                                .setExclusive(exclusive)
                                .setParentMode(mode | 0300)
                                .build())
                .thenApply(reply -> Answers.info(reply.getAttributes()));
    }

    /** As {@link SteadFs#createSymlink}. New parent directories get the mode {@code parentMode}. */
    public CompletableFuture<FileInfo> createSymlink(
            FsPath link, String target, boolean createParents, int parentMode) {
        return calls.change(
                        Kind.CREATE_SYMLINK,
                        "create symlink",
                        link,
                        CreateSymlinkReply.class,
                        location -> CreateSymlinkRequest.newBuilder()
                                .setLocation(location)
                                .setTarget(target)
                                .setCreateParents(createParents)
                                .setParentMode(parentMode)
                                .build())
                .thenApply(reply -> Answers.info(reply.getAttributes()));
    }

    /** As {@link SteadFs#delete}. */
    public CompletableFuture<Void> delete(FsPath path, boolean recursive) {
        return calls.change(
                        Kind.DELETE,
                        "delete",
                        path,
                        DeleteReply.class,
                        location -> DeleteRequest.newBuilder()
                                .setLocation(location)
                                .setRecursive(recursive)
                                .build())
                .done();
    }

    /** As {@link SteadFs#rename}. */
    public CompletableFuture<Boolean> rename(FsPath source, FsPath target, RenameMode mode) {
        RenameRequest.Mode wireMode = switch (mode) {
            case NO_REPLACE -> RenameRequest.Mode.NO_REPLACE;
            case OVERWRITE -> RenameRequest.Mode.OVERWRITE;
            case INTO_DIRECTORY -> RenameRequest.Mode.INTO_DIRECTORY;
        };
        Question question = Question.twoWalks(
                Kind.RENAME,
                "rename",
                source.relative(),
                target.relative(),
                (from, to) -> RenameRequest.newBuilder()
                        .setSource(from)
                        .setTarget(to)
                        .setMode(wireMode)
                        .setSourcePath(source.toString())
                        .setTargetPath(target.toString())
                        .build());
        Operation operation = calls.operation(new FromTo(source, target));
        return Futures.map(
                calls.recorded().ask(operation, question),
                answer -> answer.reply().body(RenameReply.class).getMoved());
    }
}
