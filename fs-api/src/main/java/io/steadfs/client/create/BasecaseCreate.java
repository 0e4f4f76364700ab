package io.steadfs.client.create;

import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Question;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateMetafileReply;
import io.steadfs.wire.proto.CreateMetafileRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;

/**
 * Makes a file by the basecase create of "File Creation Strategies in a Distributed Metadata File System", section 3.
 * This class makes a metafile on a shard chosen at random, and {@link BasecaseFile} does the other steps. A create
 * takes four steps and N + 3 messages for N columns.
 */
final class BasecaseCreate implements CreateProtocol {
    private final IntUnaryOperator random;

    BasecaseCreate(IntUnaryOperator random) {
        this.random = random;
    }

    @Override
    public CompletableFuture<Made> create(FileSpec spec) {
        CreateOptions options = spec.options();
        Question question = Question.shard(
                Kind.CREATE_METAFILE,
                "create metafile",
                random.applyAsInt(spec.cluster().shards().serving()),
                CreateMetafileRequest.newBuilder()
                        .setMode(options.mode())
                        .setWidth(options.width())
                        .setStripSize(options.stripSize())
                        .setBlockSize(options.blockSize())
                        .setReplication(options.replication())
                        .setNearServer(spec.nearServer())
                        .setPath(spec.path().toString())
                        .build());
        return Futures.then(
                spec.recorded().ask(spec.operation(), question),
                answer -> new BasecaseFile(
                                spec,
                                answer.session(),
                                answer.reply().body(CreateMetafileReply.class).getAttributes())
                        .finish());
    }
}
