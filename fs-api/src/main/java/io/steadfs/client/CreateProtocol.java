package io.steadfs.client;

import io.steadfs.cluster.ClusterView;
import io.steadfs.config.ConfigKey;
import io.steadfs.path.FsPath;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;

/**
 * One way to make a file: who is asked for what, and in which order. However it goes, the name comes last, so that a file
 * which others can see is complete; and a create that fails leaves nothing for ever.
 *
 * <pre>
 *  protocol  steps                                                    messages
 *  --------  -------------------------------------------------------  --------
 *  unified   metafile and dirent together, on the directory's shard   1
 *  basecase  metafile; N datafiles at once; attributes; dirent        N + 3
 * </pre>
 *
 * N is the number of columns. Counted after the directory's shard is known: each shard that the way to it passes costs
 * one message more.
 */
interface CreateProtocol {
    List<String> NAMES = List.of(UnifiedCreate.NAME, BasecaseCreate.NAME);

    ConfigKey<String> KEY = new ConfigKey<>(
            "stead.create.protocol",
            UnifiedCreate.NAME,
            "",
            "How files are made: unified, one message to the shard of the directory; or basecase, which makes the metafile on"
                    + " a random shard, a datafile for each column, and the name last.",
            CreateProtocol::check);

    private static String check(String name) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("is none of " + String.join(", ", NAMES));
        }
        return name;
    }

    /** @param random a number below the given one, from any thread */
    static CreateProtocol named(String name, IntUnaryOperator random) {
        return switch (check(name)) {
            case BasecaseCreate.NAME -> new BasecaseCreate(random);
            default -> new UnifiedCreate();
        };
    }

    /** Makes the file. What is sent goes by the wish's courier and calls, where it is counted. */
    CompletableFuture<Made> create(Wish wish);

    /**
     * A file to be made.
     *
     * @param nearServer IO server near the writer, plus 1; 0 = none known
     */
    record Wish(
            Operation operation,
            FsPath path,
            CreateOptions options,
            int nearServer,
            ClusterView cluster,
            Courier courier,
            RecordedCalls recorded) {}

    /**
     * A file that was made.
     *
     * @param info with its layout
     * @param session its writer
     */
    record Made(FileInfo info, Session session) {}
}
