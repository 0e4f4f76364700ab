package io.steadfs.client.create;

import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Question;
import io.steadfs.client.list.Answers;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Makes metafile and dirent by one request to the directory's shard. By default the first write into a column makes the
 * column's datafile. If {@code eager} is set, the client leases a datafile for each column in advance.
 */
final class UnifiedCreate implements CreateProtocol {
    private final boolean eager;

    /** @param eager whether every column has a leased datafile from the beginning */
    UnifiedCreate(boolean eager) {
        this.eager = eager;
    }

    @Override
    public CompletableFuture<Made> create(FileSpec spec) {
        return eager
                ? LeasedColumns.with(
                        spec, spec.leased(), handles -> create(spec, handles.size(), LeasedHandles.columns(handles), 0))
                : create(spec, spec.options().width(), List.of(), 0);
    }

    /**
     * Makes the file by one CREATE request.
     *
     * @param columns columns for which the client names a leased handle
     * @param delegated number of columns that may get a datafile from the shard's leases
     */
    static CompletableFuture<Made> create(FileSpec spec, int width, List<AttachedColumn> columns, int delegated) {
        CreateOptions options = spec.options();
        Question question = Question.walk(
                Kind.CREATE,
                "create",
                spec.path().relative(),
                location -> CreateRequest.newBuilder()
                        .setLocation(location)
                        .setMode(options.mode())
                        .setOverwrite(options.overwrite())
                        .setCreateParents(options.createParents())
                        .setParentMode(Math.max(0, options.parentMode()))
                        .setParentsAsAbove(options.parentsAsAbove())
                        .setWidth(width)
                        .setStripSize(options.stripSize())
                        .setBlockSize(options.blockSize())
                        .setReplication(options.replication())
                        .setNearServer(spec.nearServer())
                        .addAllColumns(columns)
                        .setDelegatedColumns(delegated)
                        .setPath(spec.path().toString())
                        .build());
        return Futures.map(spec.recorded().ask(spec.operation(), question), answer -> {
            CreateReply reply = answer.reply().body(CreateReply.class);
            return new Made(Answers.info(reply.getAttributes()), answer.session(), reply.getProtocolHint());
        });
    }
}
