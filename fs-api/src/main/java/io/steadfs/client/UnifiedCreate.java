package io.steadfs.client;

import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import java.util.concurrent.CompletableFuture;

/** Metafile and dirent in one request to the directory's shard; a column's datafile is made by its first write. */
final class UnifiedCreate implements CreateProtocol {
    static final String NAME = "unified";

    @Override
    public CompletableFuture<Made> create(Wish wish) {
        CreateOptions options = wish.options();
        Question question = Question.walk(
                Kind.CREATE,
                "create",
                wish.path().relative(),
                location -> CreateRequest.newBuilder()
                        .setLocation(location)
                        .setMode(options.mode())
                        .setOverwrite(options.overwrite())
                        .setCreateParents(options.createParents())
                        .setParentMode(options.parentMode())
                        .setWidth(options.width())
                        .setStripSize(options.stripSize())
                        .setBlockSize(options.blockSize())
                        .setNearServer(wish.nearServer())
                        .build());
        return Linked.map(
                wish.recorded().ask(wish.operation(), question),
                answer -> new Made(
                        Answers.info(answer.reply().body(CreateReply.class).getAttributes()), answer.session()));
    }
}
