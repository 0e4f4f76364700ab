package io.steadfs.client.create;

import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Question;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateMetafileReply;
import io.steadfs.wire.proto.CreateMetafileRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;

/**
 * The basecase create of "File Creation Strategies in a Distributed Metadata File System", section 3. It makes a metafile on a shard chosen
 * at random; {@link BasecaseFile} does the rest. Four steps, N + 3 messages.
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
                random.applyAsInt(spec.cluster().shardCount()),
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
