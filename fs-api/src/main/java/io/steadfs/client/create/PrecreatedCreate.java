package io.steadfs.client.create;

import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Question;
import io.steadfs.handle.Handle;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CreateMetafileReply;
import io.steadfs.wire.proto.CreateMetafileRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;

/**
 * Makes a file by the create with precreated handles of "File Creation Strategies in a Distributed Metadata File
 * System", section 3.4. The client first makes a metafile on a random shard, and the metafile lists leased datafiles
 * from the beginning. Finally the client makes the dirent. A create takes two steps and two messages. In addition each
 * lease takes one message.
 */
final class PrecreatedCreate implements CreateProtocol {
    private final IntUnaryOperator random;

    PrecreatedCreate(IntUnaryOperator random) {
        this.random = random;
    }

    @Override
    public CompletableFuture<Made> create(FileSpec spec) {
        return LeasedColumns.with(spec, spec.leased(), handles -> createWith(spec, handles, random));
    }

    /** Makes the metafile with these datafiles, one for each column, and then the dirent. */
    static CompletableFuture<Made> createWith(FileSpec spec, List<Handle> datafiles, IntUnaryOperator random) {
        return Futures.then(metafile(spec, datafiles, random), UnnamedFile::link);
    }

    /** Makes a metafile that lists these datafiles and has no name yet. */
    static CompletableFuture<UnnamedFile> metafile(FileSpec spec, List<Handle> datafiles, IntUnaryOperator random) {
        CreateOptions options = spec.options();
        Question question = Question.shard(
                Kind.CREATE_METAFILE,
                "create metafile",
                random.applyAsInt(spec.cluster().shards().serving()),
                CreateMetafileRequest.newBuilder()
                        .setMode(options.mode())
                        .setWidth(datafiles.size())
                        .setStripSize(options.stripSize())
                        .setBlockSize(options.blockSize())
                        .setReplication(options.replication())
                        .addAllColumns(LeasedHandles.columns(datafiles))
                        .setPath(spec.path().toString())
                        .build());
        return Futures.map(spec.recorded().ask(spec.operation(), question), answer -> {
            Attributes metafile = answer.reply().body(CreateMetafileReply.class).getAttributes();
            return new UnnamedFile(spec, answer.session(), metafile, List::of);
        });
    }
}
